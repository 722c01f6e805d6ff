#include "store/journal.h"

#include <system_error>
#include <utility>

#include <unistd.h>

#include "store/facts_codec.h"
#include "store/notes_codec.h"
#include "store/record.h"
#include "store/record_scanner.h"
#include "store/recording_dir.h"
#include "store/segment_bytes.h"

namespace reveal::store {

using base::Result;

void Journal::begin(const model::RunFacts& facts) {
  whose_ = {};
  whose_.host = facts.host;
  whose_.boot_id = facts.boot_id;
  whose_.start_wall_ns = facts.start_wall_ns;
  whose_.interval_ns = facts.interval_ns;
  facts_.clear();
  put_facts(facts_, whose_, 0, numbering_);
}

void Journal::set_numbering(std::uint32_t numbering) {
  if (numbering == numbering_) return;
  numbering_ = numbering;
  facts_.clear();
  put_facts(facts_, whose_, 0, numbering_);
}

Result<void> Journal::go_on() {
  const auto numbers = list_journals(dir_);
  if (!numbers) return base::pass(numbers);
  if (!numbers->empty()) number_ = numbers->back();
  return {};
}

Result<void> Journal::take_over() {
  const auto numbers = list_journals(dir_);
  if (!numbers) return base::pass(numbers);
  for (const std::uint32_t number : *numbers) {
    const std::filesystem::path path = dir_ / journal_name(number);
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (!error && is_ours(path)) ended_.push_back({path, bytes});
  }
  return {};
}

// A file whose run facts are damaged counts as part of the recording.
bool Journal::is_ours(const std::filesystem::path& path) const {
  auto bytes = FileBytes::open(path);
  if (!bytes) return false;
  const auto first = RecordScanner(*bytes, kFileHeaderBytes).next();
  if (!first) return false;
  if (first->end || first->type != RecordType::kRunFacts) return true;
  const auto facts = read_facts(first->payload);
  return !facts || same_run(*facts, whose_);
}

Result<void> Journal::open() {
  auto file = SegmentFile::create(dir_ / journal_name(number_ + 1));
  if (!file) return base::pass(file);
  out_.clear();
  append_file_header(out_, numbering_ == 0 ? kUsualVersion : kNumberedVersion);
  append_record(out_, RecordType::kRunFacts, facts_);
  if (const auto written = file->append(out_); !written) {
    ::unlink(file->path().c_str());
    return written;
  }
  ++number_;
  file_.emplace(std::move(*file));
  encoder_.reset();
  return {};
}

Result<void> Journal::append(const model::Frame& frame, std::uint8_t gap,
                             const std::vector<model::Note>& notes) {
  if (!file_) {
    if (const auto opened = open(); !opened) return opened;
  }
  out_.clear();
  if (!notes.empty()) {
    payload_.clear();
    put_notes(payload_, notes);
    append_record(out_, RecordType::kNotes, payload_);
  }
  payload_.clear();
  const auto type = encoder_.encode(frame, gap, payload_);
  append_record(out_, type, payload_);
  const auto written = file_->append(out_);
  if (!written) encoder_.reset();
  return written;
}

Result<void> Journal::sync() {
  return file_ ? file_->sync() : Result<void>();
}

void Journal::end_block() {
  if (!file_) return;
  ended_.push_back({file_->path(), file_->size()});
  file_.reset();
}

void Journal::remove_oldest() {
  ::unlink(ended_.front().path.c_str());
  removed_bytes_ += ended_.front().bytes;
  ended_.pop_front();
}

std::uint64_t Journal::bytes() const {
  std::uint64_t sum = file_ ? file_->size() : 0;
  for (const EndedFile& file : ended_) sum += file.bytes;
  return sum;
}

}  // namespace reveal::store
