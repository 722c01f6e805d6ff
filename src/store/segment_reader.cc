#include "store/segment_reader.h"

#include <algorithm>
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

Result<SegmentReader> SegmentReader::open(const fs::path& dir, ReadOptions options) {
  if (const auto checked = check_directory(dir); !checked) {
    return base::pass(checked);
  }
  SegmentReader reader(dir, std::move(options));
  if (const auto found = reader.find_files(); !found) return base::pass(found);
  const auto ready = reader.advance();
  if (!ready) return base::pass(ready);
  if (!reader.replay_->facts()) {
    return base::fail(ErrorKind::kTooLittle,
                      "the recording was cut off or damaged before its first whole record",
                      dir.string(), "record again");
  }
  reader.frame_ready_ = *ready;
  return reader;
}

// The journals are opened before any segment is read: a frame that is in no segment yet then is in
// one of them, whatever the recorder does meanwhile.
Result<void> SegmentReader::find_files() {
  const auto journals = list_journals(dir_);
  if (!journals) return base::pass(journals);
  open_journals(*journals);
  auto segments = list_segments(dir_);
  if (!segments) return base::pass(segments);
  segments_ = std::move(*segments);
  leave_out_numbers();
  if (!segments_.empty()) return leave_out_segments();
  return base::fail(ErrorKind::kUsage, "not a Reveal recording: no segment (000001.rvs) in it",
                    dir_.string(), kWhatToGive);
}

void SegmentReader::open_journals(const std::vector<std::uint32_t>& numbers) {
  for (const std::uint32_t number : numbers) {
    auto bytes = FileBytes::open(dir_ / journal_name(number));
    if (bytes) journals_.push_back({number, std::move(*bytes)});
  }
}

// Leaves out the segments whose numbers were not asked for.
void SegmentReader::leave_out_numbers() {
  const ReadOptions& options = replay_->options();
  const auto end = options.to_segment
                       ? std::upper_bound(segments_.begin(), segments_.end(), *options.to_segment)
                       : segments_.end();
  const auto begin = options.from_segment
                         ? std::lower_bound(segments_.begin(), end, *options.from_segment)
                         : segments_.begin();
  more_segments_ = end != segments_.end();
  segments_ = {begin, end};
  if (options.to_segment) journals_.clear();
}

// Leaves out the segments before the one in which the time that is asked for begins, and those
// after it: each stands alone.
Result<void> SegmentReader::leave_out_segments() {
  const ReadOptions& options = replay_->options();
  if (!options.from_ns && !options.to_ns) return {};
  std::vector<std::optional<std::int64_t>> begins;
  for (const std::uint32_t number : segments_) {
    auto bytes = FileBytes::open(dir_ / segment_name(number));
    const auto block = bytes ? SegmentParser::first_heading(*bytes) : std::nullopt;
    begins.push_back(block && *block ? std::optional((*block)->first_wall_ns) : std::nullopt);
  }
  std::size_t first = 0;
  while (options.from_ns && first + 1 < begins.size() && begins[first + 1] &&
         *begins[first + 1] <= *options.from_ns) {
    ++first;
  }
  std::size_t last = begins.size();
  while (options.to_ns && last > first + 1 && begins[last - 1] &&
         *begins[last - 1] >= *options.to_ns) {
    --last;
  }
  more_segments_ = more_segments_ || last < segments_.size();
  segments_ = {segments_.begin() + static_cast<std::ptrdiff_t>(first),
               segments_.begin() + static_cast<std::ptrdiff_t>(last)};
  return {};
}

Result<WallSpan> wall_span(const fs::path& dir) {
  auto reader = SegmentReader::open(dir);
  if (!reader) return base::pass(reader);
  const auto first = reader->next();
  if (!first) return base::pass(first);
  if (*first == nullptr) {
    return base::fail(ErrorKind::kTooLittle, "no frame in this recording", dir.string(),
                      "record for longer");
  }
  WallSpan span{(*first)->wall_ns, (*first)->wall_ns};
  // From the last block on, what is left is little: that block, and the journals.
  ReadOptions rest;
  const auto segments = list_segments(dir);
  if (segments && !segments->empty()) {
    auto bytes = FileBytes::open(dir / segment_name(segments->back()));
    const auto block = bytes ? SegmentParser::last_heading(*bytes) : std::nullopt;
    if (block && *block) rest.from_ns = (*block)->last_wall_ns;
  }
  auto tail = SegmentReader::open(dir, rest);
  if (!tail) return base::pass(tail);
  for (;;) {
    const auto frame = tail->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return span;
    span.end_ns = (*frame)->wall_ns;
  }
}

Result<const model::Frame*> SegmentReader::next() {
  if (!std::exchange(frame_ready_, false)) {
    const auto more = advance();
    if (!more) return base::pass(more);
    if (!*more) return nullptr;
  }
  return &replay_->frame();
}

std::optional<std::uint32_t> SegmentReader::segment() const {
  if (journal_ != 0 || opened_ == 0) return std::nullopt;
  return segments_[opened_ - 1];
}

// Reads on to the next frame, over the ends of files; false at the end of the recording.
Result<bool> SegmentReader::advance() {
  while (!at_end_) {
    if (!parser_) {
      const auto opened = open_next();
      if (!opened) return base::pass(opened);
      if (!*opened) continue;
    }
    const auto frame = parser_->next_frame();
    if (!frame) return base::pass(frame);
    if (*frame) return true;
    leave_file();
  }
  return false;
}

// Opens the file that comes next; false if it is left out, or none is left.
Result<bool> SegmentReader::open_next() {
  if (opened_ < segments_.size()) return open_next_segment();
  if (!journals_.empty() && !more_segments_) return open_next_journal();
  at_end_ = true;
  return false;
}

Result<bool> SegmentReader::open_next_segment() {
  const std::size_t index = opened_++;
  const auto opened = open_segment(index);
  const bool first = index == 0;
  if (opened) return true;
  // Whoever keeps a recording short removes its oldest segments, perhaps while it is read.
  if (opened.error().kind == ErrorKind::kAbsent) {
    replay_->begin_segment(segment_name(segments_[index]));
    if (replay_->facts()) replay_->lose(0, 0, "the segment was removed while this was read");
    return false;
  }
  // The first segment says whether this is a recording of ours; a bad one later is damage.
  if (first || opened.error().kind != ErrorKind::kCorrupt) return base::pass(opened);
  replay_->begin_segment(segment_name(segments_[index]));
  replay_->lose(0, 0, opened.error().what);
  return false;
}

Result<bool> SegmentReader::open_next_journal() {
  OpenJournal journal = std::move(journals_.front());
  journals_.pop_front();
  journal_ = journal.number;
  const std::string name = journal_name(journal.number);
  if (const auto fresh = journal.bytes.refresh(); !fresh) return base::pass(fresh);
  auto parser = SegmentParser::open(std::make_unique<FileBytes>(std::move(journal.bytes)), name,
                                    *replay_, SegmentParser::Kind::kJournal);
  if (!parser) {
    if (parser.error().kind != ErrorKind::kCorrupt) return base::pass(parser);
    replay_->begin_journal(name);
    replay_->lose(0, 0, parser.error().what);
    return false;
  }
  parser_.emplace(std::move(*parser));
  return true;
}

Result<void> SegmentReader::open_segment(std::size_t index) {
  const std::uint32_t number = segments_[index];
  if (index > 0 && number != segments_[index - 1] + 1) {
    replay_->begin_segment(segment_name(segments_[index - 1] + 1));
    replay_->lose(0, 0, "the segment is not there");
  }
  const std::string name = segment_name(number);
  auto bytes = FileBytes::open(dir_ / name);
  if (!bytes) return base::pass(bytes);
  auto parser = SegmentParser::open(std::make_unique<FileBytes>(std::move(*bytes)), name, *replay_);
  if (!parser) {
    parser.error().where = (dir_ / name).string();
    return base::pass(parser);
  }
  parser_.emplace(std::move(*parser));
  return {};
}

// A segment that another one follows was closed in order, so an open end is a loss. At the end of
// the recording, and of a journal, it is what killing the recorder leaves.
void SegmentReader::leave_file() {
  const bool last_segment = opened_ == segments_.size() && !more_segments_;
  if (!last_segment && !replay_->segment_ended() && !parser_->foreign()) {
    const std::uint64_t tail = parser_->tail_offset();
    replay_->lose(tail, parser_->size() - tail, "the segment was cut off");
  }
  // Once the end is written, all that the journals hold is in the segments.
  if (last_segment && journal_ == 0 && replay_->recording_ended()) {
    clean_ = true;
    journals_.clear();
  }
  // More may be appended to the last journal.
  at_end_ = journal_ != 0 && journals_.empty();
  if (!at_end_) parser_.reset();
}

// The journals that have come since are looked for first: once the next one is there, the one that
// is read is whole. They are removed oldest first, so that none has come and gone if the one that
// is read, or the next, is there still.
Result<bool> SegmentReader::go_on() {
  if (!parser_ || parser_->foreign()) return false;
  auto numbers = list_journals(dir_);
  if (!numbers) return base::pass(numbers);
  std::erase_if(*numbers, [this](std::uint32_t number) { return number <= journal_; });
  open_journals(*numbers);
  std::uint32_t expected = journal_;
  for (const auto& journal : journals_) {
    if (journal.number != ++expected) return false;
  }
  if (const auto fresh = parser_->refresh(); !fresh) return base::pass(fresh);
  if (parser_->removed() && journals_.empty()) return false;
  at_end_ = false;
  return true;
}

}  // namespace reveal::store
