#include "store/segment_reader.h"

#include <system_error>
#include <utility>

#include "store/recording_dir.h"

namespace reveal::store {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

constexpr const char* kWhatToGive = "give the directory that `reveal record -o` wrote";

Result<void> check_directory(const fs::path& dir) {
  std::error_code error;
  const auto status = fs::status(dir, error);
  if (status.type() == fs::file_type::not_found) {
    return base::fail(ErrorKind::kAbsent, "no such directory", dir.string(), kWhatToGive);
  }
  if (error) return base::fail_errno(error.value(), "cannot open", dir.string());
  if (!fs::is_directory(status)) {
    return base::fail(ErrorKind::kUsage, "is not a directory", dir.string(), kWhatToGive);
  }
  return {};
}

}  // namespace

Result<SegmentReader> SegmentReader::open(const fs::path& dir) {
  if (const auto checked = check_directory(dir); !checked) {
    return base::Unexpected(checked.error());
  }
  auto segments = list_segments(dir);
  if (!segments) return base::Unexpected(segments.error());
  if (segments->empty()) {
    return base::fail(ErrorKind::kUsage, "not a Reveal recording: no segment (000001.rvs) in it",
                      dir.string(), kWhatToGive);
  }
  SegmentReader reader(dir, std::move(*segments));
  const auto ready = reader.advance();
  if (!ready) return base::Unexpected(ready.error());
  if (!reader.replay_->facts()) {
    return base::fail(ErrorKind::kTooLittle,
                      "the recording was cut off or damaged before its first whole record",
                      dir.string(), "record again");
  }
  reader.frame_ready_ = *ready;
  return reader;
}

Result<const model::Frame*> SegmentReader::next() {
  if (!std::exchange(frame_ready_, false)) {
    const auto more = advance();
    if (!more) return base::Unexpected(more.error());
    if (!*more) return nullptr;
  }
  return &replay_->frame();
}

// Reads on to the next frame, over the ends of segments; false at the end of the recording.
Result<bool> SegmentReader::advance() {
  while (!at_end_) {
    if (!parser_) {
      const auto opened = open_next();
      if (!opened) return base::Unexpected(opened.error());
      if (!*opened) continue;
    }
    const auto frame = parser_->next_frame();
    if (!frame) return base::Unexpected(frame.error());
    if (*frame) return true;
    leave_segment();
  }
  return false;
}

// Opens the segment that comes next; false where it is left out.
Result<bool> SegmentReader::open_next() {
  const std::size_t index = opened_++;
  const auto opened = open_segment(index);
  const bool first = index == 0;
  if (opened) return true;
  // The first segment says whether this is a recording of ours; a bad one later is damage.
  if (first || opened.error().kind != ErrorKind::kCorrupt) return base::Unexpected(opened.error());
  replay_->begin_segment(segment_name(segments_[index]));
  replay_->lose(0, 0, opened.error().what);
  at_end_ = opened_ == segments_.size();
  return false;
}

Result<void> SegmentReader::open_segment(std::size_t index) {
  const std::uint32_t number = segments_[index];
  if (index > 0 && number != segments_[index - 1] + 1) {
    replay_->begin_segment(segment_name(segments_[index - 1] + 1));
    replay_->lose(0, 0, "the segment is not there");
  }
  const std::string name = segment_name(number);
  auto bytes = FileBytes::open(dir_ / name);
  if (!bytes) return base::Unexpected(bytes.error());
  auto parser = SegmentParser::open(std::make_unique<FileBytes>(std::move(*bytes)), name, *replay_);
  if (!parser) {
    parser.error().where = (dir_ / name).string();
    return base::Unexpected(parser.error());
  }
  parser_.emplace(std::move(*parser));
  return {};
}

// A segment that another one follows was closed in order, so an open end is a loss. At the end of
// the recording it is what killing the recorder leaves.
void SegmentReader::leave_segment() {
  at_end_ = opened_ == segments_.size();
  if (!at_end_ && !replay_->segment_ended() && !parser_->foreign()) {
    const std::uint64_t tail = parser_->tail_offset();
    replay_->lose(tail, parser_->size() - tail, "the segment was cut off");
  }
  parser_.reset();
}

}  // namespace reveal::store
