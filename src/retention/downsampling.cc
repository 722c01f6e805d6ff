#include "retention/downsampling.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "retention/evidence_recording.h"
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

// Segments that are downsampled before any of them goes: the disk must have room for what replaces
// them.
constexpr std::size_t kBatch = 16;

// A recording whose old segments go to the next coarser one.
struct Stage {
  fs::path dir;
  std::int64_t interval_ns;
  std::int64_t age_ns;
  retention::FineSource kind;
};

// The segments of a stage that are old enough.
struct Batch {
  std::vector<std::uint32_t> segments;
  bool whole = false;  // nothing remains after them, and nothing will come
};

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

Result<std::vector<std::uint32_t>> segments_of(const fs::path& dir) {
  if (!fs::exists(dir)) return std::vector<std::uint32_t>();
  return store::list_segments(dir);
}

Result<void> remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return base::fail_errno(errno, "cannot remove", path.string());
}

// With the last segment of what a killed recorder left its journals go.
Result<void> remove_segment(const fs::path& dir, std::uint32_t number, const Batch& batch) {
  if (batch.whole && number == batch.segments.back()) {
    const auto journals = store::list_journals(dir);
    if (!journals) return base::pass(journals);
    for (const std::uint32_t journal : *journals) {
      if (auto gone = remove_file(dir / store::journal_name(journal)); !gone) return gone;
    }
  }
  return remove_file(dir / store::segment_name(number));
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
  Result<bool> more_to_come(std::size_t stage) const;
  Result<Batch> next_batch(const Stage& stage, bool more) const;
  Result<bool> is_old(const Stage& stage, std::uint32_t number, bool last) const;
  Result<std::optional<std::int64_t>> end_of_journals(const Stage& stage, std::uint32_t last) const;
  Result<std::size_t> move_batch(std::size_t stage, const Batch& batch, DownsampleStep& done);
  Result<void> copy(store::SegmentReader& reader, const Batch& batch, RollupRecording& rollup,
                    std::map<std::uint32_t, std::uint64_t>& last_ticks, bool recorded);
  Result<std::size_t> remove_batch(const Stage& stage, const Batch& batch,
                                   const RollupRecording& rollup,
                                   const std::map<std::uint32_t, std::uint64_t>& last_ticks) const;
  std::int64_t cutoff(const Stage& stage) const { return options_.now_ns - stage.age_ns; }

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

Result<std::optional<std::int64_t>> Downsampling::end_of_journals(const Stage& stage,
                                                                  std::uint32_t last) const {
  const auto journals = store::list_journals(stage.dir);
  if (!journals) return base::pass(journals);
  if (journals->empty()) return std::nullopt;
  store::ReadOptions tail;
  tail.from_segment = last;
  auto reader = store::SegmentReader::open(stage.dir, std::move(tail));
  if (!reader) return base::pass(reader);
  std::optional<std::int64_t> end_ns;
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return end_ns;
    end_ns = std::max(end_ns.value_or((*frame)->wall_ns), (*frame)->wall_ns);
  }
}

// Of a recorder that was killed the last segment goes with the journals, which have what it lacks.
Result<bool> Downsampling::is_old(const Stage& stage, std::uint32_t number, bool last) const {
  const auto span = store::segment_span(stage.dir / store::segment_name(number));
  if (!span) return base::pass(span);
  if (*span && (*span)->end_ns >= cutoff(stage)) return false;
  if (*span && options_.newest_mono_ns &&
      (*span)->end_mono_ns >= *options_.newest_mono_ns - stage.age_ns) {
    return false;
  }
  if (!last) return true;
  const auto end_ns = end_of_journals(stage, number);
  if (!end_ns) return base::pass(end_ns);
  return !*end_ns || **end_ns < cutoff(stage);
}

// The last segment of what may grow stays: the recorder's is open, and a rollup's says what it has.
Result<Batch> Downsampling::next_batch(const Stage& stage, bool more) const {
  const auto segments = segments_of(stage.dir);
  if (!segments) return base::pass(segments);
  Batch out;
  for (std::size_t i = 0; i + (more ? 1 : 0) < segments->size() && i < kBatch; ++i) {
    const bool last = i + 1 == segments->size();
    const auto old = is_old(stage, (*segments)[i], last);
    if (!old) return base::pass(old);
    if (!*old) break;
    out.segments.push_back((*segments)[i]);
    out.whole = last;
  }
  return out;
}

Result<void> Downsampling::move_old(std::size_t stage) {
  DownsampleStep done{stages_[stage].dir, stages_[stage + 1].dir};
  for (;;) {
    const auto more = more_to_come(stage);
    if (!more) return base::pass(more);
    const auto batch = next_batch(stages_[stage], *more);
    if (!batch) return base::pass(batch);
    if (batch->segments.empty()) break;
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
    const auto batch = next_batch(stages_[stage], *more);
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
