#include "fleet/level_stream.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "model/hanging_source.h"

namespace reveal::fleet {
namespace {

// Returns whether a note says that another job has begun or is over.
bool is_of_jobs(const model::Note& note) {
  if (note.kind == model::Note::Kind::kFact) return note.source.starts_with("cgroup");
  return note.source == "mark" && note.subject.starts_with("job ");
}

}  // namespace

base::Result<void> LevelStream::begin(const model::RunFacts& facts) {
  facts_ = facts;
  bucket_ns_ = std::max(kBucket_ns, facts.interval_ns);
  levels_ = BucketLevels(bucket_ns_);
  levels_.begin(facts.interval_ns);
  return {};
}

base::Result<void> LevelStream::write(const model::ChannelTable& channels,
                                      const model::Frame& frame) {
  const Grid since_the_epoch{.begin_ns = 0, .bucket_ns = bucket_ns_};
  const auto bucket = since_the_epoch.bucket_of(frame.wall_ns);
  if (bucket != open_) {
    close_bucket();
    open_bucket(bucket);
  }
  take_notes(frame);
  if (frame.wall_ns < from_ns_ - kWarmUp_ns) return {};
  take_clock(channels, frame);
  levels_.take(channels, frame);
  return {};
}

base::Result<void> LevelStream::finish() {
  close_bucket();
  return {};
}

void LevelStream::open_bucket(std::int64_t bucket) {
  is_first_ = open_ == kNone;
  gap_before_ = !is_first_ && open_ != bucket - 1;
  open_ = bucket;
  jobs_changed_ = false;
  // A recorder that was started again knows of no source that hung before.
  if (gap_before_) hung_.clear();
}

void LevelStream::take_notes(const model::Frame& frame) {
  read_until_ns_ = frame.wall_ns;
  for (const auto& note : frame.notes) {
    jobs_.take(note, frame.wall_ns);
    const bool is_new = notes_.apply(note);
    // What the first bucket states held before.
    if (is_new && !is_first_ && is_of_jobs(note)) jobs_changed_ = true;
    if (note.source != model::kRecorderSource || note.kind != model::Note::Kind::kEvent) continue;
    if (note.text.starts_with(model::kHangs)) hung_.insert(note.subject);
    if (note.text.starts_with(model::kAnswersAgain)) hung_.erase(note.subject);
  }
}

void LevelStream::take_clock(const model::ChannelTable& channels, const model::Frame& frame) {
  if (channels.channel_count() != known_channels_) {
    known_channels_ = channels.channel_count();
    clock_error_ = channels.find_channel("cpu_clock_estimated_error_seconds");
    unsynchronized_ = channels.find_channel("cpu_clock_unsynchronized_flag");
  }
  const auto bits_of = [&](std::optional<model::ChannelId> id) -> std::optional<std::uint64_t> {
    if (!id || id->index() >= frame.bits.size()) return std::nullopt;
    if (frame.validity[id->index()] == model::Validity::kMissing) return std::nullopt;
    return frame.bits[id->index()];
  };
  const auto error = bits_of(clock_error_);
  const bool is_kept = bits_of(unsynchronized_) == std::uint64_t{0};
  clock_error_s_ =
      error && is_kept ? std::bit_cast<double>(*error) : std::numeric_limits<double>::quiet_NaN();
}

void LevelStream::close_bucket() {
  const auto frames = levels_.frames();
  if (frames == 0) return;
  const auto levels = levels_.close(open_);
  LevelBucket out;
  out.begin_ns = open_ * bucket_ns_;
  if (out.begin_ns < from_ns_) return;
  out.levels.reserve(levels.size());
  for (const auto& level : levels) {
    out.levels.push_back(level ? level->value : std::numeric_limits<float>::quiet_NaN());
  }
  const auto due = static_cast<double>(bucket_ns_) / static_cast<double>(facts_.interval_ns);
  out.missing = std::clamp(1 - frames / due, 0.0, 1.0);
  out.gap_before = gap_before_;
  out.jobs_changed = jobs_changed_;
  out.hung_sources = hung_.size();
  out.clock_error_s = clock_error_s_;
  ended_.push_back(std::move(out));
}

}  // namespace reveal::fleet
