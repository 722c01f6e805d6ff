// The series of one host's quantities on the grid of a comparison, and its facts. Frames are
// reduced as they come: memory is four bytes for each quantity and bucket, however many samples and
// cores there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "derive/deriver.h"
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

// A number that holds for the whole run.
struct StaticLevel {
  Quantity quantity;
  double value = std::numeric_limits<double>::quiet_NaN();  // the latest
};

// Takes raw frames, also those before the grid, as slow sources hold their values from there.
class HostLevels : public model::FrameSink {
 public:
  explicit HostLevels(const Grid& grid) : grid_(grid) {}

  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  base::Result<void> finish() override;

  const model::RunFacts& facts() const { return facts_; }
  // Return what the last frame became: its values, by derived channel, and their names.
  std::span<const double> derived_row() const { return row_; }
  const model::ChannelTable& derived_channels() const { return deriver_.channels(); }
  // By quantity, in the order of their first channels. What the recorder says of itself is none.
  const std::vector<LevelSeries>& series() const { return series_; }
  const std::vector<StaticLevel>& statics() const { return statics_; }
  // What is not a number and held when the last frame was taken.
  std::vector<model::Note> notes() const { return notes_.notes(); }

 private:
  enum class Role : std::uint8_t { kIgnored, kStatic, kSeries, kCore };
  // One derived channel.
  struct Slot {
    Role role = Role::kIgnored;
    bool counts = false;                  // an event: increments, not levels
    std::optional<model::ChannelId> raw;  // whose signal it is; none for what is derived of several
    bool was_read = false;                // in the open bucket
    std::size_t target = 0;               // index of its series or static level
    double sum = 0;                       // of the open bucket's samples
    std::uint32_t samples = 0;
    float held = 0;  // the level of the last bucket that had one
    std::int64_t held_bucket = std::numeric_limits<std::int64_t>::min();
  };
  // The cores of a quantity in the bucket that is being closed.
  struct Cores {
    double sum = 0;
    double highest = 0;
    std::size_t count = 0;
    bool any_read = false;
  };

  void grow(const model::ChannelTable& raw);
  void add_slot(const model::ChannelTable& raw, model::ChannelId channel);
  std::size_t series_of(Quantity quantity);
  void take(Slot& slot, double value);
  void close_bucket();
  struct Level {
    float value = 0;
    bool was_read = false;
  };
  std::optional<Level> close(Slot& slot);
  void store(std::size_t place, Level level);

  Grid grid_;
  model::RunFacts facts_;
  derive::Deriver deriver_;
  std::span<const double> row_;
  model::FactTable notes_;
  std::vector<Slot> slots_;  // by derived channel
  std::vector<LevelSeries> series_;
  std::vector<StaticLevel> statics_;
  std::map<std::string, std::size_t> series_by_key_;
  std::map<std::size_t, std::size_t> highest_of_;  // series of the highest core by that of the mean
  std::vector<Cores> cores_;                       // by series
  std::int64_t open_ = std::numeric_limits<std::int64_t>::min();
  std::uint32_t frames_open_ = 0;
};

// Returns the memory that is installed on a host, the median of all, in bytes; 0 if it is unknown.
double installed_memory(std::span<const HostLevels> hosts);

}  // namespace reveal::fleet
