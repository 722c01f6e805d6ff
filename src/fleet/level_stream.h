// The levels of a host that goes on, bucket by bucket as they end: what an agent tells its fleet.
// Buckets are whole multiples of their length in UTC, as those of a comparison are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fleet/bucket_levels.h"
#include "fleet/grid.h"
#include "fleet/job_table.h"
#include "model/fact_table.h"
#include "model/frame.h"

namespace reveal::fleet {

// A rate needs two readings, and slow sources hold for a while: frames from so long before a bucket
// on make its levels what they are with all frames before it.
inline constexpr std::int64_t kWarmUp_ns = 2 * kHold_ns;

struct LevelBucket {
  std::int64_t begin_ns = 0;     // wall time, a whole multiple of the bucket's length
  std::vector<float> levels;     // by quantity; NaN where there is none
  double missing = 0;            // share of its frames that are missing
  bool gap_before = false;       // the recording has no frame of the bucket before it
  bool jobs_changed = false;     // a control group has another owner, or a job was marked
  std::size_t hung_sources = 0;  // at its end
  // How far the host's clock may be off at its end, in seconds; NaN if that is not known.
  double clock_error_s = std::numeric_limits<double>::quiet_NaN();
};

// Takes the raw frames of a recording in their order. Not thread-safe.
class LevelStream : public model::FrameSink {
 public:
  // Buckets that begin before `from_ns` (wall time) are left out; of frames long before that only
  // the notes are taken.
  explicit LevelStream(std::int64_t from_ns) : from_ns_(from_ns), levels_(kBucket_ns) {}

  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  // Ends the last bucket, though more of it may come.
  base::Result<void> finish() override;

  // Returns the buckets that ended since the last call.
  std::vector<LevelBucket> take() { return std::exchange(ended_, {}); }

  // Return what the run began with, and how long a bucket is: a second, or a tick if that is
  // longer.
  const model::RunFacts& facts() const { return facts_; }
  std::int64_t bucket_ns() const { return bucket_ns_; }
  // By place in a bucket's levels; they only become more.
  const std::vector<Quantity>& quantities() const { return levels_.quantities(); }
  const std::vector<StaticLevel>& statics() const { return levels_.statics(); }
  // What is not a number and held when the last frame was taken.
  std::vector<model::Note> notes() const { return notes_.notes(); }
  // Return the jobs and pods that ran then, and when that was (wall time).
  std::vector<RunningJob> jobs() const { return jobs_.jobs(); }
  std::int64_t read_until_ns() const { return read_until_ns_; }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  void open_bucket(std::int64_t bucket);
  void take_notes(const model::Frame& frame);
  void take_clock(const model::ChannelTable& channels, const model::Frame& frame);
  void close_bucket();

  std::int64_t from_ns_;
  model::RunFacts facts_;
  std::int64_t bucket_ns_ = kBucket_ns;
  BucketLevels levels_;
  model::FactTable notes_;
  JobTable jobs_;
  std::int64_t read_until_ns_ = 0;
  std::set<std::string> hung_;
  std::int64_t open_ = kNone;  // number of the bucket, since the epoch
  bool is_first_ = true;       // of the open bucket
  bool gap_before_ = false;
  bool jobs_changed_ = false;
  std::size_t known_channels_ = 0;
  std::optional<model::ChannelId> clock_error_;
  std::optional<model::ChannelId> unsynchronized_;
  double clock_error_s_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<LevelBucket> ended_;
};

}  // namespace reveal::fleet
