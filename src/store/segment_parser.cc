#include "store/segment_parser.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace reveal::store {
namespace {

using base::ErrorKind;
using base::Result;

Result<bool> run_facts_follow(SegmentBytes& bytes) {
  const auto first = RecordScanner(bytes, kFileHeaderBytes).next();
  if (!first) return base::pass(first);
  return !first->end && first->offset == kFileHeaderBytes && first->type == RecordType::kRunFacts;
}

base::Unexpected newer(const std::string& file, std::uint16_t version) {
  return base::fail(ErrorKind::kUsage,
                    fmt::format("is in storage format {}, this version of reveal reads up to {}",
                                version, kFormatVersion),
                    file, "update reveal");
}

Result<std::optional<BlockHeading>> find_heading(SegmentBytes& bytes, bool last) {
  std::optional<BlockHeading> found;
  RecordScanner scanner(bytes, kFileHeaderBytes);
  for (;;) {
    const auto glimpse = scanner.glance();
    if (!glimpse) return base::pass(glimpse);
    if (!*glimpse) return found;
    if ((*glimpse)->type == RecordType::kBlock) {
      ByteCursor in((*glimpse)->begin);
      if (const auto heading = read_heading(in)) found = heading;
      if (!last) return found;
    }
    scanner.pass(**glimpse);
  }
}

// Returns what is wrong with a file that is left at once; empty: nothing is.
std::string_view why_left(Replay::Step step) {
  switch (step) {
    case Replay::Step::kForeignRun:
      return "belongs to another recording";
    case Replay::Step::kCopy:
      return "is a copy of another segment";
    case Replay::Step::kUnknown:
      return "its channels are numbered by a segment that was not read";
    default:
      return "";
  }
}

}  // namespace

Result<SegmentParser> SegmentParser::open(std::unique_ptr<SegmentBytes> bytes,
                                          const std::string& file, Replay& replay, Kind kind) {
  const auto head = bytes->view(0, kFileHeaderBytes);
  if (!head) return base::pass(head);
  const FileHeader header = read_file_header(*head);
  if (header.state == FileHeader::State::kSound && header.version > kFormatVersion) {
    return newer(file, header.version);
  }
  const bool damaged = header.state == FileHeader::State::kDamaged;
  if (damaged) {
    const auto readable = run_facts_follow(*bytes);
    if (!readable) return base::pass(readable);
    if (!*readable) return base::fail(ErrorKind::kCorrupt, "is not a segment of Reveal", file);
  }
  const bool numbered =
      header.state == FileHeader::State::kSound && header.version >= kNumberedVersion;
  if (kind == Kind::kJournal) {
    replay.begin_journal(file, numbered);
  } else {
    replay.begin_segment(file, numbered);
  }
  if (damaged) replay.lose(0, kFileHeaderBytes, "the file header is damaged");
  const bool cut_off = header.state == FileHeader::State::kCutOff;
  SegmentParser parser(std::move(bytes), replay, kFileHeaderBytes);
  if (cut_off) parser.tail_offset_ = 0;
  return parser;
}

// Passes over blocks after the time that is asked for, without reading them. Those before it say
// which facts hold.
Result<void> SegmentParser::pass_unwanted() {
  const ReadOptions& options = replay_->options();
  if (!options.to_ns) return {};
  for (;;) {
    const auto glimpse = scanner_.glance();
    if (!glimpse) return base::pass(glimpse);
    if (!*glimpse || (*glimpse)->type != RecordType::kBlock) return {};
    ByteCursor in((*glimpse)->begin);
    const auto heading = read_heading(in);
    if (!heading || std::min(heading->first_wall_ns, heading->last_wall_ns) < *options.to_ns) {
      return {};
    }
    scanner_.pass(**glimpse);
  }
}

Result<std::optional<BlockHeading>> SegmentParser::first_heading(SegmentBytes& bytes) {
  return find_heading(bytes, false);
}

Result<std::optional<BlockHeading>> SegmentParser::last_heading(SegmentBytes& bytes) {
  return find_heading(bytes, true);
}

Result<bool> SegmentParser::next_frame() {
  if (replay_->next_of_block()) return true;
  for (;;) {
    if (const auto passed = pass_unwanted(); !passed) return base::pass(passed);
    const auto record = scanner_.next();
    if (!record) return base::pass(record);
    if (record->damaged_bytes > 0) {
      replay_->lose(record->damaged_from, record->damaged_bytes, "bytes that are no record");
    }
    if (record->torn) tail_offset_ = record->damaged_from;
    if (record->end) return false;
    const Replay::Step step = replay_->apply(*record);
    if (step == Replay::Step::kFrame) return true;
    if (step == Replay::Step::kOther) continue;
    foreign_ = true;
    if (const auto why = why_left(step); !why.empty()) {
      replay_->lose(record->offset, size() - record->offset, std::string(why));
    }
    return false;
  }
}

}  // namespace reveal::store
