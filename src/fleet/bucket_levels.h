// The frames of one host reduced to a level by quantity and bucket of time, as they come. A
// comparison of recordings and an agent that tells its fleet both use this, so that their levels
// are the same. Memory does not grow with time. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "derive/deriver.h"
#include "fleet/quantity.h"
#include "model/frame.h"

namespace reveal::fleet {

// The slowest poll class is read every ten seconds; between two readings a level holds.
inline constexpr std::int64_t kHold_ns = 15'000'000'000;

// The mean of a bucket's samples; of events, how many came in a second.
struct Level {
  float value = 0;
  bool was_read = false;  // in this bucket; else an earlier one holds
};

// A number that holds for the whole run.
struct StaticLevel {
  Quantity quantity;
  double value = std::numeric_limits<double>::quiet_NaN();  // the latest
};

class BucketLevels {
 public:
  explicit BucketLevels(std::int64_t bucket_ns) : bucket_ns_(bucket_ns) {}

  // `interval_ns` is that between the run's ticks. To be called before the first frame.
  void begin(std::int64_t interval_ns) { interval_ns_ = interval_ns; }

  // Takes the numbers of the next frame, which is in the bucket that is open. REQUIRES: as
  // derive::Deriver::step().
  void take(const model::ChannelTable& channels, const model::Frame& frame);

  // Ends the bucket of the frames since the last call; `bucket` is its number, counted from any
  // one. Returns the levels by quantity, nothing where there is none, until the next call.
  std::span<const std::optional<Level>> close(std::int64_t bucket);

  // Returns how many frames the open bucket has.
  std::uint32_t frames() const { return frames_; }
  // In the order of their first channels; they only become more. What the recorder says of itself
  // is none.
  const std::vector<Quantity>& quantities() const { return quantities_; }
  const std::vector<StaticLevel>& statics() const { return statics_; }
  // Return what the last frame became: its values, by derived channel, and their names.
  std::span<const double> derived_row() const { return row_; }
  const model::ChannelTable& derived_channels() const { return deriver_.channels(); }

 private:
  enum class Role : std::uint8_t { kIgnored, kStatic, kSeries, kCore };
  // One derived channel.
  struct Slot {
    Role role = Role::kIgnored;
    bool counts = false;                  // an event: increments, not levels
    std::optional<model::ChannelId> raw;  // whose signal it is; none for what is derived of several
    bool was_read = false;                // in the open bucket
    std::size_t target = 0;               // index of its quantity or static level
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
  std::size_t place_of(Quantity quantity);
  void take(Slot& slot, double value);
  std::optional<Level> close(Slot& slot, std::int64_t bucket) const;
  void add_core(std::size_t mean, Level level);
  void close_cores();

  std::int64_t bucket_ns_;
  std::int64_t interval_ns_ = 0;
  derive::Deriver deriver_;
  std::span<const double> row_;
  std::vector<Slot> slots_;  // by derived channel
  std::vector<Quantity> quantities_;
  std::vector<StaticLevel> statics_;
  std::map<std::string, std::size_t> places_;      // of quantities, by their keys
  std::map<std::size_t, std::size_t> highest_of_;  // quantity of the highest core by the mean's
  std::vector<Cores> cores_;                       // by quantity
  std::vector<std::optional<Level>> levels_;       // by quantity, of the last closed bucket
  std::uint32_t frames_ = 0;
};

// Returns the memory that is installed by a host's statics, in bytes; NaN if they do not have it.
double installed_memory(std::span<const StaticLevel> statics);

}  // namespace reveal::fleet
