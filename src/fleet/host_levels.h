// The series of one host's quantities on the grid of a comparison, and its facts. Frames are
// reduced as they come: memory is four bytes for each quantity and bucket, however many samples and
// cores there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/result.h"
#include "fleet/bucket_levels.h"
#include "fleet/grid.h"
#include "fleet/quantity.h"
#include "model/fact_table.h"
#include "model/frame.h"

namespace reveal::fleet {

// A level by bucket: the mean of its samples; of events, how many came in a second.
struct LevelSeries {
  Quantity quantity;
  std::vector<float> levels;  // NaN where there is none; empty where there is none at all
  std::size_t present = 0;    // buckets with a level
  std::size_t read = 0;       // of these, in which it was read; in the others an earlier one held

  // Returns how many buckets there are to a reading, at least 1.
  double buckets_a_reading() const;
};

// Takes raw frames, also those before the grid, as slow sources hold their values from there.
class HostLevels : public model::FrameSink {
 public:
  explicit HostLevels(const Grid& grid) : grid_(grid), levels_(grid.bucket_ns) {}

  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  base::Result<void> finish() override;

  const model::RunFacts& facts() const { return facts_; }
  // Return what the last frame became: its values, by derived channel, and their names.
  std::span<const double> derived_row() const { return levels_.derived_row(); }
  const model::ChannelTable& derived_channels() const { return levels_.derived_channels(); }
  // By quantity, in the order of their first channels. What the recorder says of itself is none.
  const std::vector<LevelSeries>& series() const { return series_; }
  const std::vector<StaticLevel>& statics() const { return levels_.statics(); }
  // What is not a number and held when the last frame was taken.
  std::vector<model::Note> notes() const { return notes_.notes(); }

 private:
  void close_bucket();

  Grid grid_;
  model::RunFacts facts_;
  BucketLevels levels_;
  model::FactTable notes_;
  std::vector<LevelSeries> series_;  // by quantity
  std::int64_t open_ = std::numeric_limits<std::int64_t>::min();
};

// Returns the memory that is installed on a host, the median of all, in bytes; 0 if it is unknown.
double installed_memory(std::span<const HostLevels> hosts);

}  // namespace reveal::fleet
