#include "fleet/level_change.h"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "fleet/testing/made_host.h"

namespace reveal::fleet {
namespace {

constexpr Surroundings kAround{4e9, 3};

Quantity quantity(const std::string& metric, model::Kind kind = model::Kind::kGauge,
                  const std::string& unit = "ratio") {
  Quantity out;
  out.metric = metric;
  out.label = metric;
  out.kind = kind;
  out.unit = unit;
  return out;
}

std::vector<float> series(std::size_t buckets, const std::function<double(std::size_t)>& level) {
  std::vector<float> out;
  for (std::size_t i = 0; i < buckets; ++i) out.push_back(static_cast<float>(level(i)));
  return out;
}

std::vector<float> noise(std::uint64_t seed, double level, double deviation,
                         std::size_t buckets = 300) {
  base::Rng rng(seed);
  return series(buckets, [&](std::size_t) { return level + deviation * normal(rng); });
}

ChangeResult compared(const Quantity& of, const std::vector<float>& before,
                      const std::vector<float>& after, double buckets_a_reading = 1) {
  return change_of({of, {before, after}, buckets_a_reading}, kSecond_ns, kAround);
}

TEST(LevelChange, OfOneAndTheSameNumberIsNone) {
  const auto same = compared(quantity("q"), noise(1, 0.5, 0), noise(1, 0.5, 0));
  EXPECT_FALSE(same.moved);
  EXPECT_FALSE(same.change);
}

TEST(LevelChange, OfOneSetOfNumbersIsNone) {
  const auto same = compared(quantity("q"), noise(1, 0.5, 0.1), noise(1, 0.5, 0.1));
  EXPECT_TRUE(same.moved);
  EXPECT_FALSE(same.change);
}

TEST(LevelChange, OfANumberThatHeldAndHoldsAnotherIsExact) {
  const auto result = compared(quantity("q"), noise(1, 0.5, 0), noise(1, 0.75, 0));
  ASSERT_TRUE(result.change);
  EXPECT_EQ(result.change->before.low, 0.5);
  EXPECT_EQ(result.change->after.high, 0.75);
  EXPECT_EQ(result.change->change.value, 0.25);
  EXPECT_EQ(result.change->change.low, 0.25);
  // Five times what is worth a word of a ratio of .5: 2 % of it.
  EXPECT_DOUBLE_EQ(result.change->least, 5 * 0.01);
  EXPECT_DOUBLE_EQ(result.change->effect(), 5);
}

TEST(LevelChange, ThatIsSmallIsNotTold) {
  EXPECT_FALSE(compared(quantity("q"), noise(1, 0.5, 0), noise(1, 0.54, 0)).change);
  EXPECT_TRUE(compared(quantity("q"), noise(1, 0.5, 0), noise(1, 0.56, 0)).change);
}

TEST(LevelChange, OfASaturationSignalIsTheDetectorsLeastRise) {
  const auto pressure = quantity("cpu_pressure_some_seconds_total", model::Kind::kCounter, "ratio");
  EXPECT_FALSE(compared(pressure, noise(1, 0.01, 0), noise(1, 0.1, 0)).change);
  const auto result = compared(pressure, noise(1, 0.01, 0), noise(1, 0.12, 0));
  ASSERT_TRUE(result.change);
  EXPECT_DOUBLE_EQ(result.change->least, 0.1);
  // Of events the least rise counts in a window: 10 in 3 s.
  const auto drops = quantity("network_receive_drops_total", model::Kind::kEvent, "packets/s");
  const auto more = compared(drops, noise(1, 1, 0), noise(1, 5, 0));
  ASSERT_TRUE(more.change);
  EXPECT_DOUBLE_EQ(more.change->least, 10.0 / 3);
}

TEST(LevelChange, OfWhatMovesByItselfIsNotTold) {
  // Up for a minute and down for a minute, before and after; after happens to hold one more up.
  const auto swings = [](std::size_t begin) {
    return series(300, [begin](std::size_t i) { return (i + begin) / 60 % 2 == 0 ? 0.8 : 0.2; });
  };
  const auto result = compared(quantity("q"), swings(60), swings(0));
  EXPECT_TRUE(result.moved);
  EXPECT_FALSE(result.change);
}

TEST(LevelChange, IntervalHoldsTheTruth) {
  const auto result = compared(quantity("q"), noise(1, 0.3, 0.05), noise(2, 0.5, 0.05));
  ASSERT_TRUE(result.change);
  EXPECT_LT(result.change->change.low, 0.2);
  EXPECT_GT(result.change->change.high, 0.2);
  EXPECT_GT(result.change->change.low, 0.15);
  EXPECT_FALSE(result.change->is_first_seen);
}

TEST(LevelChange, OfAFewReadingsIsNotKnown) {
  // Read every 20 s: two readings a run, of whatever size, say nothing.
  const auto held = [](double one, double other) {
    return series(40, [=](std::size_t i) { return i < 20 ? one : other; });
  };
  EXPECT_FALSE(compared(quantity("q"), held(0.1, 0.2), held(0.8, 0.9), 20).change);
}

TEST(LevelChange, MissingBucketsAreLeftOut) {
  auto before = noise(1, 0.5, 0);
  auto after = noise(1, 0.75, 0);
  for (std::size_t i = 0; i < 100; ++i) after[2 * i] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compared(quantity("q"), before, after).change->after.value, 0.75);
  after.assign(300, std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE(compared(quantity("q"), before, after).moved);
}

const Quantity kErrors = quantity("errors_total", model::Kind::kEvent, "errors/s");

// One event in each of so many buckets.
std::vector<float> now_and_then(std::size_t events, std::size_t buckets = 300) {
  return series(buckets, [=](std::size_t i) { return i % 20 == 7 && i / 20 < events ? 1 : 0; });
}

TEST(LevelChange, ErrorsThatWereNeverSeenBeforeAreTold) {
  const auto result = compared(kErrors, now_and_then(0), now_and_then(12));
  ASSERT_TRUE(result.change);
  EXPECT_TRUE(result.change->is_first_seen);
  EXPECT_EQ(result.change->before.value, 0);
  EXPECT_DOUBLE_EQ(result.change->after.value, 12.0 / 300);
  EXPECT_GT(result.change->change.low, 0);
  const auto gone = compared(kErrors, now_and_then(12), now_and_then(0));
  ASSERT_TRUE(gone.change);
  EXPECT_LT(gone.change->change.high, 0);
}

// Each occasion falls into either run by its length: of equal ones all of n into one by chance in
// 2 / 2^n, which is below .001 from 11 on.
TEST(LevelChange, AFewErrorsAreChance) {
  EXPECT_FALSE(compared(kErrors, now_and_then(0), now_and_then(10)).change);
  EXPECT_TRUE(compared(kErrors, now_and_then(0), now_and_then(11)).change);
  // That a run three times as long has 11 more is chance: 2 * .75^11 = .08; 27 are not.
  EXPECT_FALSE(compared(kErrors, now_and_then(0, 300), now_and_then(11, 900)).change);
  EXPECT_TRUE(compared(kErrors, now_and_then(0, 300), now_and_then(27, 900)).change);
}

TEST(LevelChange, ABurstOfErrorsIsOneOccasion) {
  const auto burst = series(300, [](std::size_t i) { return i == 200 ? 50 : 0; });
  EXPECT_FALSE(compared(kErrors, now_and_then(0), burst).change);
}

TEST(LevelChange, MoreOfWhatWasSeenBeforeIsNoFirst) {
  EXPECT_FALSE(compared(kErrors, now_and_then(1), now_and_then(12)).change);
}

}  // namespace
}  // namespace reveal::fleet
