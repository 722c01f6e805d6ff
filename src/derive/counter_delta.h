// The increment of a counter between two readings: the one place that handles the faults of
// counters. Everything in Reveal rests on rates, and an invented rate would be found, explained and
// believed. So in doubt this returns nothing, or the smaller number.
//
//   the reading ...                                       the increment is ...
//   is the first one, or time did not pass                none
//   is the base or above it                               the difference, taken before any rounding
//   fell a little (idle and iowait do)                    zero; the base stays until it is passed,
//                                                           or for kHoldNs at most
//   fell, is narrower than 64 bits, and the way up        the difference modulo 2^bits
//     through zero is plausible (see kWrapSpeedup)
//   fell further                                          none, until one of the next two shows why
//   is back at the level before such a fall (some         from that level: what was read between
//     sources read zero now and then)                       was false
//   is the kDoubtReadings-th after such a fall            from the level that it fell to: a reset
//     and not back (driver reload)
//   jumps near such a level later on, faster than the   none: it was away for longer, and is back
//     counter ever was (see kWrapSpeedup)
//   rose by over half the range (a step below zero)       as if it had fallen
//   comes after up to kMissesSpanned missed ticks         over the whole time
//   comes after more (device gone and back)               none: as if it were the first one
//
// Holds: increments are never negative, and their sum is at most what the counter truly moved. Two
// things no reader can tell apart: a false first reading from a true one, and a reset close below
// 2^bits from a wrap. The limits below bound what the latter can invent.
//
// Not thread-safe; one object a channel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace reveal::derive {

// What is known of a counter before it is read.
struct CounterTraits {
  unsigned bits = 64;      // width at which it wraps; not used for f64 counters
  double step_back = 0.0;  // the largest fall, in raw units, that is noise and not a reset
};

template <typename Value>
struct Increment {
  Value amount;             // in raw units
  std::int64_t elapsed_ns;  // time in which the counter moved by that, > 0
};

// Value is std::uint64_t or double.
template <typename Value>
class CounterDelta {
 public:
  // A counter that stays below its base for longer was set back for good.
  static constexpr std::int64_t kHoldNs = 5'000'000'000;
  static constexpr int kDoubtReadings = 2;
  static constexpr int kMissesSpanned = 1;
  // A wrap may be this much faster than the counter ever was; the first 2^-kWrapFreeShift of the
  // range is granted without such a history.
  static constexpr double kWrapSpeedup = 8.0;
  static constexpr unsigned kWrapFreeShift = 10;

  explicit CounterDelta(CounterTraits traits) : traits_(traits) {}

  // Takes a fresh reading at a monotonic time. Returns how far the counter moved since the last
  // reading that counted, or nothing if that cannot be said.
  std::optional<Increment<Value>> read(Value value, std::int64_t mono_ns);

  // Notes a tick in which the counter could not be read.
  void miss();

 private:
  struct Level {
    Value value;
    std::int64_t mono_ns;
  };
  using Step = std::optional<Increment<Value>>;

  Step start(Level now);
  Step rise(Level now, Value amount);
  Step hold(Level now);
  Step fall(Level now);
  bool is_back(Level now, Value amount);
  void remember(Level level);
  void recall(Value value);
  bool base_is_false() const;
  bool below_zero(Value from, Value value) const;
  bool small_step_back(Value from, Value fell) const;
  bool plausible_wrap(Value amount, std::int64_t elapsed_ns) const;
  Value range_mask() const;

  CounterTraits traits_;
  bool started_ = false;
  Level base_{};
  int misses_ = 0;
  std::int64_t held_since_ns_ = 0;
  bool holding_ = false;
  double fastest_per_ns_ = 0.0;
  // Levels from which the counter fell lately, each below the one before it.
  std::array<Level, 4> former_{};
  std::size_t former_count_ = 0;
  int doubt_left_ = 0;
  // The highest level from which the counter fell for longer than the doubt, until it is passed.
  std::optional<Level> left_{};
};

extern template class CounterDelta<std::uint64_t>;
extern template class CounterDelta<double>;

}  // namespace reveal::derive
