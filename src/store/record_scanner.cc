#include "store/record_scanner.h"

#include <algorithm>

namespace reveal::store {
namespace {

constexpr std::uint64_t kSearchBytes = 64u << 10;
constexpr std::uint64_t kGlimpseBytes = 96;  // the heading of a block is shorter

}  // namespace

base::Result<ScannedRecord> RecordScanner::next() {
  ScannedRecord out;
  if (offset_ >= bytes_->size()) {
    out.end = true;
    return out;
  }
  const auto verdict = record_at(offset_, out);
  if (!verdict) return base::pass(verdict);
  if (*verdict != Verdict::kRecord) {
    const auto found = resync(out);
    if (!found) return base::pass(found);
    // A file that stops inside its last record was cut off; anything else is damage.
    if (!*found && *verdict == Verdict::kCutOff) {
      out.torn = true;
      out.damaged_bytes = 0;
    }
  }
  if (!out.end) {
    offset_ = out.offset + out.bytes;
  } else if (!out.torn) {
    offset_ = bytes_->size();
  }
  return out;
}

base::Result<RecordScanner::Verdict> RecordScanner::record_at(std::uint64_t offset,
                                                              ScannedRecord& out) {
  const auto head = bytes_->view(offset, kRecordHeaderBytes);
  if (!head) return base::pass(head);
  const RecordHeader header = read_record_header(*head, bytes_->size() - offset);
  if (header.state == RecordHeader::State::kDamaged) return Verdict::kDamaged;
  if (header.state == RecordHeader::State::kCutOff) return Verdict::kCutOff;

  const std::uint64_t length = kRecordHeaderBytes + header.payload_bytes;
  const auto whole = bytes_->view(offset, length);
  if (!whole) return base::pass(whole);
  if (whole->size() < length) return Verdict::kCutOff;
  const ByteView covered = whole->subspan(kRecordHeaderBytes - 1);
  if (crc32(covered) != header.crc) return Verdict::kDamaged;
  out.type = static_cast<RecordType>(covered[0]);
  out.payload = covered.subspan(1);
  out.offset = offset;
  out.bytes = length;
  return Verdict::kRecord;
}

base::Result<std::optional<RecordScanner::Glimpse>> RecordScanner::glance() {
  const auto head = bytes_->glance(offset_, kRecordHeaderBytes + kGlimpseBytes);
  if (!head) return base::pass(head);
  if (head->size() < kRecordHeaderBytes) return std::nullopt;
  const RecordHeader header = read_record_header(*head, bytes_->size() - offset_);
  if (header.state != RecordHeader::State::kSound) return std::nullopt;
  Glimpse out;
  out.type = static_cast<RecordType>((*head)[kRecordHeaderBytes - 1]);
  const auto payload = head->subspan(kRecordHeaderBytes);
  out.begin = payload.first(std::min<std::size_t>(payload.size(), header.payload_bytes));
  out.bytes = kRecordHeaderBytes + header.payload_bytes;
  return out;
}

// Looks for the next whole record after the one at offset_; false when there is none.
base::Result<bool> RecordScanner::resync(ScannedRecord& out) {
  out.damaged_from = offset_;
  for (std::uint64_t from = offset_ + 1;;) {
    const auto marker = find_marker(from);
    if (!marker) return base::pass(marker);
    out.damaged_bytes = *marker - offset_;
    if (*marker >= bytes_->size()) {
      out.end = true;
      return false;
    }
    const auto verdict = record_at(*marker, out);
    if (!verdict) return base::pass(verdict);
    if (*verdict == Verdict::kRecord) return true;
    from = *marker + 1;
  }
}

// Returns the place of the first marker at or after `from`, or the size if there is none.
base::Result<std::uint64_t> RecordScanner::find_marker(std::uint64_t from) {
  const ByteView marker = sync_marker();
  while (from < bytes_->size()) {
    const auto chunk = bytes_->view(from, kSearchBytes);
    if (!chunk) return base::pass(chunk);
    if (chunk->size() < marker.size()) break;
    const auto hit = std::search(chunk->begin(), chunk->end(), marker.begin(), marker.end());
    if (hit != chunk->end()) return from + static_cast<std::uint64_t>(hit - chunk->begin());
    from += chunk->size() - (marker.size() - 1);
  }
  return bytes_->size();
}

}  // namespace reveal::store
