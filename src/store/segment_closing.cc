#include "store/segment_closing.h"

#include <cerrno>

#include <unistd.h>

#include "store/block_codec.h"
#include "store/record.h"
#include "store/record_scanner.h"
#include "store/segment_bytes.h"
#include "store/segment_file.h"

namespace reveal::store {
namespace {

using base::Result;

std::uint64_t frames_in(const ScannedRecord& record) {
  if (record.type == RecordType::kKeyFrame || record.type == RecordType::kDeltaFrame) return 1;
  if (record.type != RecordType::kBlock) return 0;
  ByteCursor in(record.payload);
  const auto heading = read_heading(in);
  return heading ? heading->ticks : 0;
}

// Walks over the records after a sound header.
Result<SegmentEnd> read_records(SegmentBytes& bytes) {
  RecordScanner scanner(bytes, kFileHeaderBytes);
  SegmentEnd out{SegmentState::kEmpty, 0, 0};
  for (;;) {
    const auto record = scanner.next();
    if (!record) return base::pass(record);
    if (record->damaged_bytes > 0) return SegmentEnd{};
    if (record->end) return out;
    out.state = record->type == RecordType::kEnd ? SegmentState::kClosed : SegmentState::kOpen;
    out.whole_bytes = record->offset + record->bytes;
    out.frames += frames_in(*record);
  }
}

Result<void> append_end(const std::filesystem::path& path, const SegmentEnd& end) {
  auto file = SegmentFile::reopen(path, end.whole_bytes);
  if (!file) return base::pass(file);
  Bytes payload;
  put_varint(payload, end.frames);
  payload.push_back(0);  // the recording goes on
  put_varint(payload, 0);
  Bytes out;
  append_record(out, RecordType::kEnd, payload);
  return file->append(out);
}

}  // namespace

Result<SegmentEnd> read_segment_end(const std::filesystem::path& path) {
  auto bytes = FileBytes::open(path);
  if (!bytes) return base::pass(bytes);
  const auto head = bytes->view(0, kFileHeaderBytes);
  if (!head) return base::pass(head);
  const FileHeader header = read_file_header(*head);
  if (header.state == FileHeader::State::kCutOff) return SegmentEnd{SegmentState::kEmpty, 0, 0};
  const bool known = header.state == FileHeader::State::kSound && header.version <= kFormatVersion;
  return known ? read_records(*bytes) : Result<SegmentEnd>(SegmentEnd{});
}

Result<bool> close_segment(const std::filesystem::path& path) {
  const auto end = read_segment_end(path);
  if (!end) return base::pass(end);
  if (end->state == SegmentState::kEmpty) {
    if (::unlink(path.c_str()) == 0) return false;
    return base::fail_errno(errno, "cannot remove a segment without content", path.string());
  }
  if (end->state != SegmentState::kOpen) return true;
  if (const auto ended = append_end(path, *end); !ended) return base::pass(ended);
  return true;
}

}  // namespace reveal::store
