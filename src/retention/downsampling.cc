#include "retention/downsampling.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "retention/evidence_recording.h"
#include "retention/old_segments.h"
#include "retention/recording_end.h"
#include "retention/rollup_recording.h"
#include "retention/wall_spans.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"
#include "store/segment_span.h"

namespace reveal::retention {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kMinute_ns = 60 * kSecond_ns;
constexpr std::size_t kMostAtOnce = 16;  // segments

// Two downsampling runs at once would both move the same segments.
Result<base::UniqueFd> lock(const fs::path& dir) {
  const fs::path path = dir / "downsample.lock";
  base::UniqueFd fd(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644));
  if (!fd.valid()) return base::fail_errno(errno, "cannot create", path.string());
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return base::fail(base::ErrorKind::kUsage,
                      "another reveal downsample is running in this directory", dir.string(),
                      "wait until it is done");
  }
  return fd;
}

// Segments are removed in these: behind a link they would be somebody else's.
Result<void> check_own_folders(const fs::path& dir) {
  for (const char* name : {"1s", "1min", "evidence"}) {
    std::error_code ignored;
    const auto there = fs::symlink_status(dir / name, ignored);
    if (!fs::exists(there) || fs::is_directory(there)) continue;
    return base::fail(base::ErrorKind::kUsage, "is a link or a file, not a directory",
                      (dir / name).string(), "move it elsewhere");
  }
  return {};
}

class Downsampling {
 public:
  explicit Downsampling(const DownsampleOptions& options)
      : options_(options), evidence_(options.directory / "evidence", {}) {}

  Result<DownsampleResult> run();

 private:
  Result<void> find_stages();
  Result<void> clear_staging_dirs() const;
  Result<void> move_old(std::size_t stage);
  Result<void> remove_old(std::size_t stage);
  std::uint64_t rollup_bytes() const;
  Result<bool> shorten(std::uint64_t most);
  Result<bool> shorten_stage(std::size_t stage);
  Result<bool> make_room(Batch& batch);
  Result<bool> more_to_come(std::size_t stage) const;
  Result<std::size_t> move_batch(std::size_t stage, const Batch& batch, DownsampleStep& done);
  Result<void> copy(store::SegmentReader& reader, const Batch& batch, RollupRecording& rollup,
                    std::map<std::uint32_t, std::uint64_t>& last_ticks, bool recorded);
  Result<std::size_t> remove_batch(const Stage& stage, const Batch& batch,
                                   const RollupRecording& rollup,
                                   const std::map<std::uint32_t, std::uint64_t>& last_ticks) const;
  AgesFrom ages_from() const { return {options_.now_ns, options_.newest_mono_ns}; }

  const DownsampleOptions& options_;
  EvidenceRecording evidence_;
  std::vector<Stage> stages_;  // finest first
  DownsampleResult result_;
};

Result<DownsampleResult> Downsampling::run() {
  evidence_ = EvidenceRecording(options_.directory / "evidence", joined(options_.evidence));
  if (auto found = find_stages(); !found) return base::pass(found);
  if (auto cleared = clear_staging_dirs(); !cleared) return base::pass(cleared);
  if (auto dropped = evidence_.drop_outside(); !dropped) {
    return base::pass(dropped);
  }
  for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
    if (auto moved = move_old(i); !moved) return base::pass(moved);
  }
  if (auto removed = remove_old(stages_.size() - 1); !removed) {
    return base::pass(removed);
  }
  if (options_.ages.rollup_bytes > 0) {
    if (auto shorter = shorten(options_.ages.rollup_bytes); !shorter) return base::pass(shorter);
  }
  result_.evidence_frames = evidence_.frames_added();
  return result_;
}

// What a downsampling that was killed was about to add is made again, or was added whole already.
Result<void> Downsampling::clear_staging_dirs() const {
  std::vector<fs::path> made{options_.directory / "evidence"};
  for (std::size_t i = 1; i < stages_.size(); ++i) made.push_back(stages_[i].dir);
  for (const fs::path& dir : made) {
    if (auto cleared = store::remove_staging_dir(dir); !cleared) return cleared;
  }
  return {};
}

// A rollup that is no coarser than the recording is left out; the recording then keeps its frames
// for as long as that rollup would.
Result<void> Downsampling::find_stages() {
  const fs::path& dir = options_.directory;
  const RetentionAges& ages = options_.ages;
  Stage recorded{dir, 0, ages.full_ns, retention::FineSource::kRecorded};
  std::vector<Stage> rollups{
      {dir / "1s", kSecond_ns, ages.second_ns, retention::FineSource::kRollup},
      {dir / "1min", kMinute_ns, ages.minute_ns, retention::FineSource::kRollup}};
  const auto segments = segments_of(dir);
  if (!segments) return base::pass(segments);
  const bool downsampled = fs::exists(rollups[0].dir) || fs::exists(rollups[1].dir);
  if (!segments->empty() || !downsampled) {
    const auto reader = store::SegmentReader::open(dir);
    if (!reader) return base::pass(reader);
    recorded.interval_ns = reader->facts().interval_ns;
  }
  while (!rollups.empty() && rollups.front().interval_ns <= recorded.interval_ns) {
    recorded.age_ns = rollups.front().age_ns;
    rollups.erase(rollups.begin());
  }
  stages_ = {recorded};
  stages_.insert(stages_.end(), rollups.begin(), rollups.end());
  return {};
}

// Returns whether frames may still be added to the stage: its end is not the end of the run.
Result<bool> Downsampling::more_to_come(std::size_t stage) const {
  if (store::is_being_written(options_.directory)) return true;
  for (std::size_t i = 0; i < stage; ++i) {
    const auto segments = segments_of(stages_[i].dir);
    if (!segments) return base::pass(segments);
    if (!segments->empty()) return true;
  }
  return false;
}

Result<void> Downsampling::move_old(std::size_t stage) {
  DownsampleStep done{stages_[stage].dir, stages_[stage + 1].dir};
  for (;;) {
    const auto more = more_to_come(stage);
    if (!more) return base::pass(more);
    auto batch = next_batch(stages_[stage], ages_from(), *more);
    if (!batch) return base::pass(batch);
    if (batch->segments.empty()) break;
    if (stage == 0 && options_.ages.rollup_bytes > 0) {
      const auto room = make_room(*batch);
      if (!room) return base::pass(room);
      if (!*room) break;
    }
    const auto moved = move_batch(stage, *batch, done);
    if (!moved) return base::pass(moved);
    done.segments += *moved;
    if (*moved < batch->segments.size()) break;
  }
  if (done.segments > 0) result_.steps.push_back(done);
  return {};
}

Result<std::size_t> Downsampling::move_batch(std::size_t stage, const Batch& batch,
                                             DownsampleStep& done) {
  const Stage& from = stages_[stage];
  const Stage& to = stages_[stage + 1];
  store::ReadOptions options;
  options.from_segment = batch.segments.front();
  auto reader = store::SegmentReader::open(from.dir, std::move(options));
  if (!reader) return base::pass(reader);
  auto rollup = RollupRecording::open(to.dir, *reader, to.interval_ns, from.kind);
  if (!rollup) return base::pass(rollup);
  std::map<std::uint32_t, std::uint64_t> last_ticks;
  const bool recorded = from.kind == retention::FineSource::kRecorded;
  if (auto copied = copy(*reader, batch, *rollup, last_ticks, recorded); !copied) {
    return base::pass(copied);
  }
  done.damaged_places += reader->damage().size();
  if (recorded) {
    if (auto kept = evidence_.commit(); !kept) return base::pass(kept);
  }
  if (auto kept = rollup->commit(); !kept) return base::pass(kept);
  done.frames_added += rollup->frames_added();
  return remove_batch(from, batch, *rollup, last_ticks);
}

// Reads on past the batch until the tick is over in which it ends: that one is made whole or not at
// all.
Result<void> Downsampling::copy(store::SegmentReader& reader, const Batch& batch,
                                RollupRecording& rollup,
                                std::map<std::uint32_t, std::uint64_t>& last_ticks, bool recorded) {
  std::optional<std::uint64_t> last_tick;
  for (bool first = true;; first = false) {
    const auto next = reader.next();
    if (!next) return base::pass(next);
    if (*next == nullptr) return batch.whole ? rollup.end_tick() : Result<void>();
    const model::Frame& frame = **next;
    const std::uint64_t tick = rollup.tick_of(frame.sequence);
    const auto segment = reader.segment();
    const bool in_batch = batch.whole || (segment && *segment <= batch.segments.back());
    if (!in_batch && tick != last_tick) return rollup.end_tick();
    if (in_batch) {
      last_tick = tick;
      last_ticks[segment.value_or(batch.segments.back())] = tick;
    }
    if (in_batch && recorded) {
      if (first) {
        if (auto begun = evidence_.begin(frame.sequence, !reader.begins_as_the_recording()); !begun)
          return begun;
      }
      auto kept = evidence_.take(reader.facts(), reader.channels(), frame);
      if (!kept) return kept;
    }
    if (auto taken = rollup.take(reader.channels(), frame); !taken) return taken;
  }
}

// Removes the segments whose ticks the rollup has, oldest first, and returns how many.
Result<std::size_t> Downsampling::remove_batch(
    const Stage& stage, const Batch& batch, const RollupRecording& rollup,
    const std::map<std::uint32_t, std::uint64_t>& last_ticks) const {
  std::size_t count = 0;
  for (const std::uint32_t number : batch.segments) {
    const auto tick = last_ticks.find(number);
    if (tick != last_ticks.end() && !rollup.has(tick->second)) return count;
    const auto gone = remove_segment(stage.dir, number, batch);
    if (!gone) return base::pass(gone);
    ++count;
  }
  return count;
}

Result<void> Downsampling::remove_old(std::size_t stage) {
  DownsampleStep done{stages_[stage].dir, {}};
  for (;;) {
    const auto more = more_to_come(stage);
    if (!more) return base::pass(more);
    const auto batch = next_batch(stages_[stage], ages_from(), *more);
    if (!batch) return base::pass(batch);
    if (batch->segments.empty()) break;
    for (const std::uint32_t number : batch->segments) {
      if (auto gone = remove_segment(stages_[stage].dir, number, *batch); !gone) return gone;
      ++done.segments;
    }
  }
  if (done.segments > 0) result_.steps.push_back(done);
  return {};
}

std::uint64_t Downsampling::rollup_bytes() const {
  std::uint64_t out = bytes_of_recording(options_.directory / "evidence");
  for (std::size_t i = 1; i < stages_.size(); ++i) out += bytes_of_recording(stages_[i].dir);
  return out;
}

// Lets the oldest of a rollup become coarser, or go if nothing is coarser: a quarter of it, because
// each time a segment is begun that repeats the names of all channels. Returns whether there was
// any: the last segment stays, for it says what the rollup has.
Result<bool> Downsampling::shorten_stage(std::size_t stage) {
  const auto segments = segments_of(stages_[stage].dir);
  if (!segments) return base::pass(segments);
  if (segments->size() < 2) return false;
  const auto few = std::clamp<std::size_t>((segments->size() - 1) / 4, 1, kMostAtOnce);
  Batch oldest;
  oldest.segments.assign(segments->begin(), segments->begin() + static_cast<std::ptrdiff_t>(few));
  DownsampleStep done{stages_[stage].dir, {}};
  if (stage + 1 < stages_.size()) {
    done.to = stages_[stage + 1].dir;
    const auto moved = move_batch(stage, oldest, done);
    if (!moved) return base::pass(moved);
    done.segments = *moved;
  } else {
    auto gone = remove_segment(stages_[stage].dir, oldest.segments.front(), oldest);
    if (!gone) return base::pass(gone);
    done.segments = 1;  // one may be enough
  }
  if (done.segments > 0) result_.steps.push_back(done);
  return done.segments > 0;
}

// Returns whether rollups take at most `most` bytes now.
Result<bool> Downsampling::shorten(std::uint64_t most) {
  for (std::size_t i = 1; i < stages_.size(); ++i) {
    while (rollup_bytes() > most) {
      const auto shorter = shorten_stage(i);
      if (!shorter) return base::pass(shorter);
      if (!*shorter) break;
    }
  }
  return rollup_bytes() <= most;
}

// Shortens the batch to what there is or can be room for. Returns whether anything is left of it.
Result<bool> Downsampling::make_room(Batch& batch) {
  const auto most = options_.ages.rollup_bytes;
  std::uint64_t needed = 0;
  const auto count = fitting(stages_.front().dir, batch.segments, most, needed);
  if (count < batch.segments.size()) {
    batch.whole = false;
    batch.segments.resize(count);
  }
  if (count > 0) {
    auto room = shorten(most - needed);
    if (!room || *room) return room;
  }
  result_.too_large = fmt::format(
      "old frames of {} stay as they are: {} MiB have no room for their rollup (--max-size)",
      stages_.front().dir.string(), most >> 20);
  return false;
}

}  // namespace

Result<DownsampleResult> downsample(const DownsampleOptions& options) {
  std::error_code error;
  if (!fs::is_directory(options.directory, error)) {
    return base::fail(base::ErrorKind::kAbsent, "no such directory", options.directory.string(),
                      "give the directory that `reveal record -o` wrote");
  }
  if (auto own = check_own_folders(options.directory); !own) return base::pass(own);
  const auto locked = lock(options.directory);
  if (!locked) return base::pass(locked);
  return Downsampling(options).run();
}

}  // namespace reveal::retention
