#include "store/journal.h"

#include <utility>

#include <unistd.h>

#include "store/facts_codec.h"
#include "store/notes_codec.h"
#include "store/record.h"
#include "store/recording_dir.h"

namespace reveal::store {

using base::Result;

void Journal::begin(const model::RunFacts& facts) {
  model::RunFacts whose;
  whose.host = facts.host;
  whose.boot_id = facts.boot_id;
  whose.start_wall_ns = facts.start_wall_ns;
  whose.interval_ns = facts.interval_ns;
  facts_.clear();
  put_facts(facts_, whose, 0);
}

Result<void> Journal::open() {
  auto file = SegmentFile::create(dir_ / journal_name(number_ + 1));
  if (!file) return base::pass(file);
  out_.clear();
  append_file_header(out_);
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
  file_->close();
  ended_.push_back(std::move(*file_));
  file_.reset();
}

void Journal::remove_oldest() {
  ::unlink(ended_.front().path().c_str());
  removed_bytes_ += ended_.front().size();
  ended_.pop_front();
}

std::uint64_t Journal::bytes() const {
  std::uint64_t sum = file_ ? file_->size() : 0;
  for (const SegmentFile& file : ended_) sum += file.size();
  return sum;
}

}  // namespace reveal::store
