#include "derive/counter_delta.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::derive {
namespace {

using testing::ElementsAre;
using U64 = std::uint64_t;
constexpr std::int64_t kTick = 100'000'000;
constexpr U64 kTwo32 = U64{1} << 32;
constexpr U64 kTwo53 = U64{1} << 53;
constexpr U64 kMax = std::numeric_limits<U64>::max();
constexpr std::optional<U64> kNone = std::nullopt;

// Reads one value a tick and returns the amounts.
std::vector<std::optional<U64>> amounts(CounterTraits traits, std::initializer_list<U64> readings) {
  CounterDelta<U64> delta(traits);
  std::vector<std::optional<U64>> out;
  std::int64_t now = kTick;
  for (const U64 reading : readings) {
    const auto step = delta.read(reading, now);
    out.push_back(step ? std::optional(step->amount) : std::nullopt);
    now += kTick;
  }
  return out;
}

constexpr CounterTraits kWide{64, 16.0};
constexpr CounterTraits kNarrow{32, 16.0};
constexpr CounterTraits kEvents{64, 0.0};

TEST(CounterDelta, FirstReadingHasNoIncrement) {
  EXPECT_THAT(amounts(kWide, {7}), ElementsAre(kNone));
  EXPECT_THAT(amounts(kWide, {0, 0, 3}), ElementsAre(kNone, 0, 3));
}

TEST(CounterDelta, IsExactWhereDoublesAreNot) {
  EXPECT_THAT(amounts(kWide, {kTwo53, kTwo53 + 1, kTwo53 + 2}), ElementsAre(kNone, 1, 1));
  EXPECT_THAT(amounts(kWide, {kMax - 3, kMax}), ElementsAre(kNone, 3));
}

TEST(CounterDelta, WrapsAtItsWidth) {
  EXPECT_THAT(amounts(kNarrow, {kTwo32 - 6, 5, 9}), ElementsAre(kNone, 11, 4));
  EXPECT_THAT(amounts({16, 0.0}, {65'530, 20}), ElementsAre(kNone, 26));
  // As fast as it was before, the way through zero stays plausible ...
  EXPECT_THAT(amounts(kNarrow, {kTwo32 - 150'000'000, kTwo32 - 50'000'000, 50'000'000}),
              ElementsAre(kNone, 100'000'000, 100'000'000));
  // ... but a slow counter does not race through a third of its range: the driver was reloaded.
  EXPECT_THAT(amounts(kNarrow, {3'000'000'000, 3'000'000'100, 20, 30}),
              ElementsAre(kNone, 100, kNone, kNone));
  EXPECT_THAT(amounts(kWide, {kMax - 5, 5}), ElementsAre(kNone, kNone));
}

TEST(CounterDelta, LearnsThatTheKernelWidenedACounter) {
  EXPECT_THAT(amounts(kNarrow, {kTwo32 - 6, kTwo32 + 5}), ElementsAre(kNone, 11));
  EXPECT_THAT(amounts(kNarrow, {3 * kTwo32, 3 * kTwo32 + 1, 4, 6, 9}),
              ElementsAre(kNone, 1, kNone, kNone, 5));
}

TEST(CounterDelta, HoldsSmallStepsBack) {
  EXPECT_THAT(amounts(kWide, {1000, 1010, 1003, 1008, 1012}), ElementsAre(kNone, 10, 0, 0, 2));
  EXPECT_THAT(amounts(kWide, {100, 84}), ElementsAre(kNone, 0));
  EXPECT_THAT(amounts(kWide, {100, 83}), ElementsAre(kNone, kNone));
  // A step below zero shows as a huge value.
  EXPECT_THAT(amounts(kWide, {10, kMax - 1, 12}), ElementsAre(kNone, kNone, 2));
  EXPECT_THAT(amounts(kWide, {30, kMax - 9, 31}), ElementsAre(kNone, kNone, 1));
}

TEST(CounterDelta, AHoldEnds) {
  CounterDelta<U64> delta(kWide);
  delta.read(1000, 0);
  EXPECT_EQ(delta.read(990, kTick)->amount, 0u);
  EXPECT_EQ(delta.read(990, kTick + CounterDelta<U64>::kHoldNs)->amount, 0u);
  EXPECT_FALSE(delta.read(991, 2 * kTick + CounterDelta<U64>::kHoldNs));
  EXPECT_EQ(delta.read(993, 3 * kTick + CounterDelta<U64>::kHoldNs)->amount, 2u);
}

TEST(CounterDelta, StartsAgainAfterAReset) {
  EXPECT_THAT(amounts(kWide, {90'000, 90'100, 0, 40, 50, 65}),
              ElementsAre(kNone, 100, kNone, kNone, 50, 15));
  EXPECT_THAT(amounts(kWide, {90'000, 70'000, 70'040, 70'060}),
              ElementsAre(kNone, kNone, kNone, 60));
  // However small the counter was, an error after the reload is not hidden.
  EXPECT_THAT(amounts(kEvents, {3, 0, 1, 1}), ElementsAre(kNone, kNone, kNone, 1));
  EXPECT_THAT(amounts(kWide, {3, 0, 1, 1}), ElementsAre(kNone, kNone, kNone, 1));
  // Once the doubt is over, passing the old level as the counter moves is nothing special.
  EXPECT_THAT(amounts(kWide, {500, 0, 10, 20, 100, 480, 620, 800}),
              ElementsAre(kNone, kNone, kNone, 20, 80, 380, 140, 180));
  // A value that keeps falling is not a counter.
  EXPECT_THAT(amounts(kWide, {9000, 8000, 7000, 6000, 5000, 4000, 3000}),
              ElementsAre(kNone, kNone, kNone, kNone, kNone, kNone, kNone));
}

TEST(CounterDelta, AFalseReadingMakesNoSpike) {
  EXPECT_THAT(amounts(kWide, {900'000, 0, 900'030, 900'040}), ElementsAre(kNone, kNone, 30, 10));
  EXPECT_THAT(amounts(kWide, {900'000, 17, 900'030}), ElementsAre(kNone, kNone, 30));
  EXPECT_THAT(amounts(kWide, {900'000, 0, 7, 900'030}), ElementsAre(kNone, kNone, kNone, 30));
  EXPECT_THAT(amounts(kWide, {900'000, 500, 0, 900'030}), ElementsAre(kNone, kNone, kNone, 30));
  EXPECT_THAT(amounts(kWide, {900'000, 0, 899'995, 900'002}), ElementsAre(kNone, kNone, 0, 2));
  EXPECT_THAT(amounts(kWide, {900'000, kMax, 900'010}), ElementsAre(kNone, kNone, 10));
  EXPECT_THAT(amounts(kWide, {900'000, kMax, 5, 900'010}), ElementsAre(kNone, kNone, kNone, 10));
  EXPECT_THAT(amounts(kWide, {900'000, kMax - 9, kMax, 900'010}),
              ElementsAre(kNone, kNone, kNone, 10));
  // One within the doubt about a reset.
  EXPECT_THAT(amounts(kWide, {900'000, 5, 0, 60, 70}), ElementsAre(kNone, kNone, kNone, kNone, 65));
  EXPECT_THAT(amounts(kWide, {900'000, 5, kMax, 60, 70}), ElementsAre(kNone, kNone, kNone, 55, 10));
  // One in a counter close below its width looks like a wrap: bounded, and no spike on the way
  // back.
  EXPECT_THAT(amounts(kNarrow, {kTwo32 - 100, 0, kTwo32 - 90, kTwo32 - 80, kTwo32 - 70}),
              ElementsAre(kNone, 100, kNone, kNone, 20));
}

// Drivers that read zero for half a second, devices that are away and come back.
TEST(CounterDelta, AnAbsenceOfAnyLengthMakesNoSpike) {
  EXPECT_THAT(amounts(kWide, {900'000, 900'100, 0, 0, 0, 0, 0, 900'700, 900'800}),
              ElementsAre(kNone, 100, kNone, kNone, 0, 0, 0, kNone, 100));
  // It counts meanwhile, and comes back a little below where it was.
  EXPECT_THAT(amounts(kWide, {900'000, 900'100, 0, 3, 6, 9, 900'095, 900'195}),
              ElementsAre(kNone, 100, kNone, kNone, 6, 3, kNone, 100));
  // One that stood still before, and one that is back twice.
  EXPECT_THAT(amounts(kWide, {900'000, 0, 0, 0, 900'000, 900'001, 0, 0, 0, 900'002, 900'004}),
              ElementsAre(kNone, kNone, kNone, 0, kNone, 1, kNone, kNone, 0, kNone, 2));
  EXPECT_THAT(amounts(kNarrow, {900'000, 900'100, 0, 0, 0, 900'700, 900'800}),
              ElementsAre(kNone, 100, kNone, kNone, 0, kNone, 100));
  EXPECT_THAT(amounts(kEvents, {70, 71, 0, 0, 0, 72, 73}),
              ElementsAre(kNone, 1, kNone, kNone, 0, kNone, 1));
}

TEST(CounterDelta, TimeOfAFalseReadingCounts) {
  CounterDelta<U64> delta(kWide);
  delta.read(900'000, 0);
  delta.read(0, kTick);
  EXPECT_EQ(delta.read(900'040, 2 * kTick)->elapsed_ns, 2 * kTick);
}

TEST(CounterDelta, SpansGapsAndOneMissedTick) {
  CounterDelta<U64> delta(kWide);
  delta.read(100, 0);
  const auto gap = delta.read(700, 6 * kTick);
  EXPECT_EQ(gap->amount, 600u);
  EXPECT_EQ(gap->elapsed_ns, 6 * kTick);
  delta.miss();
  EXPECT_EQ(delta.read(800, 8 * kTick)->elapsed_ns, 2 * kTick);
  delta.miss();
  EXPECT_EQ(delta.read(900, 10 * kTick)->amount, 100u);
}

TEST(CounterDelta, ADeviceThatWasGoneIsNew) {
  CounterDelta<U64> delta(kWide);
  delta.read(100, 0);
  delta.miss();
  delta.miss();
  EXPECT_FALSE(delta.read(700, 3 * kTick));
  EXPECT_EQ(delta.read(710, 4 * kTick)->amount, 10u);
}

TEST(CounterDelta, TimeThatDoesNotPassGivesNothing) {
  CounterDelta<U64> delta(kWide);
  delta.read(100, kTick);
  EXPECT_FALSE(delta.read(200, kTick));
  EXPECT_FALSE(delta.read(300, 0));
  EXPECT_EQ(delta.read(310, kTick)->amount, 10u);
}

TEST(CounterDelta, TakesRealNumbers) {
  CounterDelta<double> delta({64, 0.5});
  EXPECT_FALSE(delta.read(10.25, 0));
  EXPECT_EQ(delta.read(10.75, kTick)->amount, 0.5);
  EXPECT_EQ(delta.read(10.5, 2 * kTick)->amount, 0.0);
  EXPECT_FALSE(delta.read(1.0, 3 * kTick));
  EXPECT_EQ(delta.read(11.0, 4 * kTick)->amount, 0.25);
}

// A counter that truly moves, and a source that lies about it now and then. One fault at a time:
// the first reading of a new level is true, and at most kDoubtReadings false ones come in a row.
class FaultySource {
 public:
  FaultySource(U64 seed, unsigned bits, bool resets, bool lies)
      : rng_(seed), mask_(bits == 64 ? kMax : (U64{1} << bits) - 1), resets_(resets), lies_(lies) {}

  std::optional<Increment<U64>> step(CounterDelta<U64>& delta) {
    now_ns_ += kTick;
    const U64 moved = rng_.below(4) == 0 ? 0 : rng_.below(2000);
    level_ += moved;
    moved_ += moved;
    const U64 fault = rng_.below(12);
    if (fault == 0) return std::nullopt;  // stale, or a tick without a frame
    if (fault == 1) return miss(delta);
    if (fault == 2) reset();
    misses_ = 0;
    return delta.read(reading(fault) & mask_, now_ns_);
  }
  U64 moved() const { return moved_; }

 private:
  std::optional<Increment<U64>> miss(CounterDelta<U64>& delta) {
    if (!resets_) return std::nullopt;
    delta.miss();
    if (++misses_ > CounterDelta<U64>::kMissesSpanned) true_to_come_ = kSettling;
    return std::nullopt;
  }
  void reset() {
    if (!resets_ || false_in_a_row_ > 0) return;
    level_ = rng_.below(level_ / 2 + 1);
    true_to_come_ = kSettling;
  }
  U64 reading(U64 fault) {
    const bool may_lie =
        lies_ && true_to_come_ == 0 && false_in_a_row_ < CounterDelta<U64>::kDoubtReadings;
    if (may_lie && fault == 3 && last_true_ > 1000) return level_ - rng_.below(16);
    if (may_lie && fault >= 4 && fault <= 6 && last_true_ > 1000) {
      ++false_in_a_row_;
      return fault == 4 ? kMax - rng_.below(20) : rng_.below(20);
    }
    if (true_to_come_ > 0) --true_to_come_;
    false_in_a_row_ = 0;
    last_true_ = level_;
    return level_;
  }

  static constexpr int kSettling = CounterDelta<U64>::kDoubtReadings + 1;

  base::Rng rng_;
  U64 mask_;
  bool resets_;
  bool lies_;
  std::int64_t now_ns_ = 0;
  U64 level_ = 4'000'000'000;
  U64 moved_ = 0;
  U64 last_true_ = 0;
  int misses_ = 0;
  int false_in_a_row_ = 0;
  int true_to_come_ = kSettling;
};

struct Outcome {
  U64 emitted = 0;
  U64 moved = 0;
  U64 fastest = 0;  // per tick
};

Outcome run(unsigned bits, FaultySource source) {
  CounterDelta<U64> delta({bits, 16.0});
  Outcome out;
  for (int tick = 0; tick < 2000; ++tick) {
    const auto step = source.step(delta);
    if (!step) continue;
    out.emitted += step->amount;
    EXPECT_GT(step->elapsed_ns, 0);
    out.fastest = std::max(out.fastest, step->amount / static_cast<U64>(step->elapsed_ns / kTick));
    EXPECT_LE(out.emitted, source.moved());
  }
  out.moved = source.moved();
  return out;
}

TEST(CounterDeltaProperty, NeverMoreThanTheCounterMoved) {
  for (U64 seed = 1; seed <= 60; ++seed) {
    const Outcome out = run(64, FaultySource(seed, 64, true, true));
    // No tick moves by 2000 or more, so a faster one is invented.
    EXPECT_LT(out.fastest, 2000u + 16u) << "seed " << seed;
    EXPECT_GT(out.emitted, out.moved / 4) << "seed " << seed;
  }
}

TEST(CounterDeltaProperty, NothingIsLostToGapsAndWraps) {
  for (U64 seed = 1; seed <= 20; ++seed) {
    for (const unsigned bits : {24u, 32u, 64u}) {
      const Outcome out = run(bits, FaultySource(seed, bits, false, false));
      // All but what moved before the first reading and after the last one.
      EXPECT_GT(out.emitted + 40'000, out.moved) << "seed " << seed << " bits " << bits;
    }
  }
}

}  // namespace
}  // namespace reveal::derive
