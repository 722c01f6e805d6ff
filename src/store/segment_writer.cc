#include "store/segment_writer.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "store/facts_codec.h"
#include "store/notes_codec.h"
#include "store/recording_dir.h"
#include "store/table_codec.h"

namespace reveal::store {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kMostPendingNotes = 10'000;
constexpr std::int64_t kSpaceCheckNs = 1'000'000'000;

// Run facts and tables are written twice: without them no frame can be read.
constexpr int kCopies = 2;

Result<void> sync_file(const std::filesystem::path& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return base::fail_errno(errno, "cannot open", path.string());
  if (::fdatasync(fd.get()) != 0) {
    return base::fail_errno(errno, "cannot flush to the disk", path.string());
  }
  return {};
}

}  // namespace

Result<SegmentWriter> SegmentWriter::create(const std::filesystem::path& dir,
                                            WriterOptions options) {
  auto lock = claim_empty_dir(dir);
  if (!lock) return base::Unexpected(lock.error());
  return SegmentWriter(dir, std::move(*lock), options);
}

Result<void> SegmentWriter::begin(const model::RunFacts& facts) {
  facts_ = facts;
  if (const auto space = check_free_space(0); !space) return space;
  space_checked_ns_.reset();
  return open_segment();
}

Result<void> SegmentWriter::write(const model::ChannelTable& channels, const model::Frame& frame) {
  keep_notes(frame);
  const auto stored = store(channels, frame);
  status_.paused = !stored;
  if (stored) {
    ++status_.stored_frames;
    return {};
  }
  ++status_.dropped_frames;
  encoder_.reset();
  if (!status_.first_failure) status_.first_failure = stored.error();
  return {};
}

Result<void> SegmentWriter::store(const model::ChannelTable& channels, const model::Frame& frame) {
  if (const auto space = check_free_space(frame.mono_ns); !space) return space;
  if (const auto closed = close_if_due(frame.mono_ns); !closed) return closed;
  if (!file_) {
    if (const auto opened = open_segment(); !opened) return opened;
  }
  out_.clear();
  encode_tables(channels);
  encode_notes();
  encode_frame(frame);
  if (const auto written = file_->append(out_); !written) return written;
  pending_notes_.clear();
  restate_ = false;
  segment_metrics_ = channels.metric_count();
  segment_channels_ = channels.channel_count();
  if (segment_frames_++ == 0) segment_begin_ns_ = frame.mono_ns;
  return {};
}

Result<void> SegmentWriter::check_free_space(std::int64_t now_ns) {
  if (options_.min_free_bytes == 0) return {};
  const bool recent = space_checked_ns_ && now_ns - *space_checked_ns_ < kSpaceCheckNs;
  if (recent && !status_.paused) return {};
  space_checked_ns_ = now_ns;
  struct statvfs fs {};
  // A file system that does not know its size cannot tell how full it is.
  if (::fstatvfs(lock_.get(), &fs) != 0 || fs.f_blocks == 0) return {};
  const std::uint64_t free_bytes = std::uint64_t{fs.f_bavail} * fs.f_frsize;
  if (free_bytes >= options_.min_free_bytes) return {};
  return base::fail(ErrorKind::kNoSpace,
                    fmt::format("only {} MiB are free and {} MiB are to stay free",
                                free_bytes >> 20, options_.min_free_bytes >> 20),
                    dir_.string(), "free some space, or record to another disk");
}

Result<void> SegmentWriter::close_if_due(std::int64_t now_ns) {
  if (!file_ || segment_frames_ == 0) return {};
  const bool due =
      file_->size() >= options_.segment_bytes || now_ns - segment_begin_ns_ >= options_.segment_ns;
  return due ? close_segment(false) : Result<void>();
}

Result<void> SegmentWriter::open_segment() {
  auto file = SegmentFile::create(dir_ / segment_name(segment_ + 1));
  if (!file) return base::Unexpected(file.error());
  out_.clear();
  append_file_header(out_);
  payload_.clear();
  put_facts(payload_, facts_, segment_ + 1);
  for (int i = 0; i < kCopies; ++i) append_record(out_, RecordType::kRunFacts, payload_);
  if (const auto written = file->append(out_); !written) {
    ::unlink(file->path().c_str());
    return written;
  }
  ++segment_;
  file_.emplace(std::move(*file));
  segment_frames_ = 0;
  segment_metrics_ = 0;
  segment_channels_ = 0;
  restate_ = true;
  encoder_.reset();
  return {};
}

Result<void> SegmentWriter::close_segment(bool last) {
  payload_.clear();
  put_varint(payload_, segment_frames_);
  payload_.push_back(last ? 1 : 0);
  put_varint(payload_, status_.dropped_frames);
  out_.clear();
  append_record(out_, RecordType::kEnd, payload_);
  if (const auto written = file_->append(out_); !written) return written;
  bytes_before_ += file_->size();
  file_.reset();
  return {};
}

void SegmentWriter::encode_tables(const model::ChannelTable& channels) {
  const bool new_metrics = channels.metric_count() > segment_metrics_;
  const bool new_channels = channels.channel_count() > segment_channels_;
  if (!new_metrics && !new_channels) return;
  encoder_.reset();
  for (int i = 0; i < kCopies; ++i) {
    payload_.clear();
    put_metrics(payload_, channels, segment_metrics_);
    append_record(out_, RecordType::kMetrics, payload_);
    payload_.clear();
    put_channels(payload_, channels, segment_channels_);
    append_record(out_, RecordType::kChannels, payload_);
  }
}

// Notes outlast frames that cannot be stored, up to a number that nobody would read through.
void SegmentWriter::keep_notes(const model::Frame& frame) {
  for (const model::Note& note : frame.notes) {
    stated_.apply(note);
    if (pending_notes_.size() < kMostPendingNotes) pending_notes_.push_back(note);
  }
}

// A segment begins with all facts that hold, so that it can be read without those before it.
void SegmentWriter::encode_notes() {
  if (restate_) {
    std::vector<model::Note> all = stated_.notes();
    std::erase_if(all, [this](const model::Note& fact) {
      return std::find(pending_notes_.begin(), pending_notes_.end(), fact) != pending_notes_.end();
    });
    all.insert(all.end(), pending_notes_.begin(), pending_notes_.end());
    append_notes(all);
  } else {
    append_notes(pending_notes_);
  }
}

void SegmentWriter::append_notes(const std::vector<model::Note>& notes) {
  if (notes.empty()) return;
  payload_.clear();
  put_notes(payload_, notes);
  append_record(out_, RecordType::kNotes, payload_);
}

void SegmentWriter::encode_frame(const model::Frame& frame) {
  const std::uint8_t storage = status_.paused ? model::kGapStorage : model::kNoGap;
  payload_.clear();
  const auto type = encoder_.encode(frame, frame.gap | storage, payload_);
  append_record(out_, type, payload_);
}

Result<void> SegmentWriter::finish() {
  if (!file_) {
    if (const auto opened = open_segment(); !opened) return opened;
  }
  if (const auto closed = close_segment(true); !closed) return closed;
  return flush();
}

Result<void> SegmentWriter::flush() const {
  for (std::uint32_t number = 1; number <= segment_; ++number) {
    if (const auto synced = sync_file(dir_ / segment_name(number)); !synced) return synced;
  }
  // Makes the names durable; some file systems cannot, and need not.
  if (::fsync(lock_.get()) != 0 && errno != EINVAL) {
    return base::fail_errno(errno, "cannot flush to the disk", dir_.string());
  }
  return {};
}

}  // namespace reveal::store
