#include "store/segment_log.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "store/facts_codec.h"
#include "store/notes_codec.h"
#include "store/record.h"
#include "store/recording_dir.h"
#include "store/table_codec.h"

namespace reveal::store {
namespace {

using base::Result;

Result<void> sync_file(const std::filesystem::path& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() && errno == ENOENT) return {};  // somebody downsampled the recording meanwhile
  if (!fd.valid()) return base::fail_errno(errno, "cannot open", path.string());
  if (::fdatasync(fd.get()) != 0) {
    return base::fail_errno(errno, "cannot flush to the disk", path.string());
  }
  return {};
}

}  // namespace

void SegmentLog::go_on(std::uint32_t last, model::FactTable stated) {
  number_ = last;
  stated_ = std::move(stated);
}

Result<void> SegmentLog::begin(const model::RunFacts& facts) {
  facts_ = facts;
  return open();
}

// Without run facts and tables no frame can be read, so the first segment has them twice. The
// others repeat what a reader knows from those before, unless they number channels anew.
Result<void> SegmentLog::open() {
  auto file = SegmentFile::create(dir_ / segment_name(number_ + 1));
  if (!file) return base::pass(file);
  const std::uint32_t numbering = numbers_anew_ ? number_ + 1 : numbering_;
  const int copies = number_ == 0 || numbers_anew_ ? 2 : 1;
  out_.clear();
  append_file_header(out_, numbering == 0 ? kUsualVersion : kNumberedVersion);
  payload_.clear();
  put_facts(payload_, facts_, number_ + 1, numbering);
  for (int i = 0; i < copies; ++i) append_record(out_, RecordType::kRunFacts, payload_);
  if (const auto notes = stated_.notes(); !notes.empty()) {
    payload_.clear();
    put_notes(payload_, notes);
    append_packed(out_, RecordType::kNotes, payload_);
  }
  if (const auto written = file->append(out_); !written) {
    ::unlink(file->path().c_str());
    return written;
  }
  ++number_;
  numbering_ = numbering;
  numbers_anew_ = false;
  file_.emplace(std::move(*file));
  frames_ = 0;
  metrics_ = 0;
  channels_ = 0;
  return {};
}

// A segment without a frame would be in the way of those who look for a time.
Result<void> SegmentLog::number_anew() {
  if (file_ && frames_ == 0 && number_ > 1) {
    ::unlink(file_->path().c_str());
    file_.reset();
    --number_;
  } else if (file_) {
    if (const auto closed = close(false, 0); !closed) return closed;
  }
  numbers_anew_ = true;
  return {};
}

bool SegmentLog::due() const {
  return frames_ > 0 && (file_->size() >= limits_.bytes || end_ns_ - begin_ns_ >= limits_.span_ns);
}

Result<void> SegmentLog::state(const model::ChannelTable& channels) {
  if (file_ && due()) {
    if (const auto closed = close(false, 0); !closed) return closed;
  }
  if (!file_) {
    if (const auto opened = open(); !opened) return opened;
  }
  if (channels.metric_count() <= metrics_ && channels.channel_count() <= channels_) return {};
  out_.clear();
  payload_.clear();
  put_metrics(payload_, channels, metrics_);
  append_packed(out_, RecordType::kMetrics, payload_);
  payload_.clear();
  put_channels(payload_, channels, channels_);
  append_packed(out_, RecordType::kChannels, payload_);
  if (number_ == 1 || number_ == numbering_) {
    payload_ = out_;
    put_bytes(out_, payload_);
  }
  if (const auto written = file_->append(out_); !written) return written;
  metrics_ = channels.metric_count();
  channels_ = channels.channel_count();
  return {};
}

Result<void> SegmentLog::append(ByteView block, const BlockHeading& heading,
                                const std::vector<TickNotes>& notes) {
  out_.clear();
  append_record(out_, RecordType::kBlock, block);
  if (const auto written = file_->append(out_); !written) return written;
  for (const TickNotes& at : notes) {
    for (const model::Note& note : at.notes) stated_.apply(note);
  }
  if (frames_ == 0) begin_ns_ = heading.first_mono_ns;
  end_ns_ = heading.last_mono_ns;
  frames_ += heading.ticks;
  return {};
}

Result<void> SegmentLog::close(bool last, std::uint64_t dropped) {
  payload_.clear();
  put_varint(payload_, frames_);
  payload_.push_back(last ? 1 : 0);
  put_varint(payload_, dropped);
  out_.clear();
  append_record(out_, RecordType::kEnd, payload_);
  if (const auto written = file_->append(out_); !written) return written;
  closed_.add({number_, file_->size(), begin_ns_, end_ns_});
  file_.reset();
  return {};
}

Result<void> SegmentLog::finish(std::uint64_t dropped) {
  if (!file_) {
    if (const auto opened = open(); !opened) return opened;
  }
  return close(true, dropped);
}

std::string SegmentLog::open_name() const {
  return file_ ? segment_name(number_) : std::string();
}

Result<void> SegmentLog::sync() {
  return file_ ? file_->sync() : Result<void>();
}

Result<void> SegmentLog::remove(const Retention& retention, std::int64_t now_ns,
                                std::uint64_t other_bytes) {
  return closed_.remove(retention, now_ns, open_bytes() + other_bytes);
}

Result<void> SegmentLog::sync_all() const {
  for (const std::uint32_t number : closed_.numbers()) {
    if (const auto synced = sync_file(dir_ / segment_name(number)); !synced) return synced;
  }
  return {};
}

}  // namespace reveal::store
