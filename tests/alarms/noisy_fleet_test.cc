// Of what the campaign on noise (fleet_campaign.cc) says: that its noise is what it is called, that
// its intervals are exact, and that it counts mistakes and finds what is slow.
#include "noisy_fleet.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "poisson_interval.h"
#include "stats/quantile.h"

namespace reveal::peers {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::Ge;
using testing::Le;

constexpr std::size_t kDraws = 400'000;

double share_beyond(double freedom, double limit) {
  base::Rng rng(1);
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < kDraws; ++i) beyond += student(rng, freedom) > limit ? 1U : 0U;
  return static_cast<double>(beyond) / kDraws;
}

// Quantiles from tables of Student's t. Four standard errors of a share of .005 are 4.5e-4.
TEST(HeavyNoise, StudentsTails) {
  EXPECT_THAT(share_beyond(3, 5.8409), DoubleNear(0.005, 4.5e-4));
  EXPECT_THAT(share_beyond(2, 9.9248), DoubleNear(0.005, 4.5e-4));
  EXPECT_THAT(share_beyond(3, -0.7649), DoubleNear(0.75, 3e-3));
}

TEST(HeavyNoise, ASecondIsLikeTheOneBefore) {
  HeavyNoise noise(Noise::kNormal, 200, 1);
  double products = 0;
  double squares = 0;
  for (std::size_t s = 0; s < 2000; ++s) {
    std::vector<double> before(200);
    for (std::size_t i = 0; i < before.size(); ++i) before[i] = noise.at(i);
    noise.next();
    for (std::size_t i = 0; i < before.size(); ++i) {
      products += before[i] * noise.at(i);
      squares += before[i] * before[i];
    }
  }
  EXPECT_THAT(products / squares, DoubleNear(0.9, 0.01));
  EXPECT_THAT(squares / (200 * 2000), DoubleNear(1, 0.03));
}

TEST(HeavyNoise, LogNormalLevelsAreOneAsARule) {
  HeavyNoise noise(Noise::kLogNormal, 20'000, 1);
  std::vector<double> levels;
  for (std::size_t i = 0; i < 20'000; ++i) levels.push_back(noise.at(i));
  EXPECT_THAT(stats::median(levels), DoubleNear(1, 0.04));
  const auto above =
      std::ranges::count_if(levels, [](double level) { return level > std::exp(1); });
  EXPECT_THAT(static_cast<double>(above) / 20'000, DoubleNear(0.1587, 0.011));
}

TEST(HeavyNoise, BurstsLastUpToTenSecondsAndAreParetos) {
  constexpr std::size_t kChannels = 4000;
  constexpr std::size_t kSeconds = 3000;
  HeavyNoise noise(Noise::kBursts, kChannels, 1);
  std::vector<std::size_t> lasted(kChannels);
  std::vector<double> before(kChannels);
  std::vector<std::size_t> lengths(kLongestBurst_s + 1);
  std::size_t high = 0;
  std::size_t bursts = 0;
  for (std::size_t s = 0; s < kSeconds; ++s) {
    noise.next();
    for (std::size_t i = 0; i < kChannels; ++i) {
      const double now = noise.burst(i);
      const bool is_new = now != before[i];
      if (is_new && before[i] > 0) ++lengths.at(lasted[i]);
      if (is_new && now > 0) {
        ++bursts;
        high += now > 10 * kLeastBurst ? 1U : 0U;
      }
      lasted[i] = is_new ? 1 : lasted[i] + 1;
      before[i] = now;
    }
  }
  // One in 2400 s and the 4.5 s that it lasts longer than one; 10 ^ -1.5 of them are ten times as
  // high.
  EXPECT_THAT(static_cast<double>(bursts), DoubleNear(kChannels * kSeconds / 2404.5, 300));
  EXPECT_THAT(static_cast<double>(high) / static_cast<double>(bursts), DoubleNear(0.0316, 0.01));
  for (std::size_t length = 1; length <= kLongestBurst_s; ++length) {
    EXPECT_THAT(static_cast<double>(lengths[length]) / static_cast<double>(bursts),
                DoubleNear(0.1, 0.02))
        << length;
  }
}

// scipy.stats.chi2.ppf(.025, 2 k) / 2 and chi2.ppf(.975, 2 k + 2) / 2.
TEST(PoissonInterval, IsGarwoods) {
  const auto expect = [](std::size_t count, double low, double high) {
    const auto found = stats::poisson_interval(count);
    EXPECT_THAT(found.low, DoubleNear(low, 1e-6)) << count;
    EXPECT_THAT(found.high, DoubleNear(high, 1e-6)) << count;
  };
  EXPECT_EQ(stats::poisson_interval(0).low, 0);
  expect(0, 0, 3.6888794541139354);
  expect(1, 0.025317807984289876, 5.571643390938898);
  expect(4, 1.0898653736263249, 10.241588675403694);
  expect(2000, 1913.2987096256304, 2089.6174394458276);
}

FalseAlarms in_two_hours(Noise noise, double units) {
  NoisyFleet fleet(9, noise, units, 1);
  std::size_t minutes = 0;
  const auto out = false_alarms(fleet, 5400, [&] { return ++minutes < 120; });
  EXPECT_EQ(out.first.host_seconds, 9 * 5400);
  EXPECT_EQ(out.after.host_seconds, 9 * 1800);
  EXPECT_EQ(fleet.refused(), 0u);
  EXPECT_GT(fleet.judged(), 7200u);
  return {out.first.incidents + out.after.incidents, 9 * 7200};
}

// A blow of this noise dies away by a tenth a second, and may be above the least rise for a dozen
// seconds. Without a look at its peak one was told in five host-hours.
TEST(NoisyFleet, WhatDiesAwayIsNoMistakeToMake) {
  NoisyFleet fleet(9, Noise::kStudent2, 100, 7);
  std::size_t minutes = 0;
  const auto out = false_alarms(fleet, 6 * 3600, [&] { return ++minutes < 16 * 60; });
  EXPECT_LE(out.after.incidents, 5u);
}

TEST(NoisyFleet, MistakesAreCounted) {
  EXPECT_EQ(in_two_hours(Noise::kNormal, 10).incidents, 0u);
  EXPECT_GT(in_two_hours(Noise::kStudent2, 10).incidents, 10u);
  EXPECT_GT(in_two_hours(Noise::kBursts, 10).incidents, 10u);
}

// Three seconds must lie beyond, each by itself, and the last host has told a third of a second
// after the third.
TEST(NoisyFleet, AStepIsFoundInNoise) {
  NoisyFleet fleet(9, Noise::kNormal, 30, 1);
  const auto steps = find_steps(fleet, 20, 1.5);
  EXPECT_EQ(steps.found_s.size(), 20u);
  EXPECT_THAT(stats::median(steps.found_s), AllOf(Ge(3.2), Le(3.4)));
  NoisyFleet other(9, Noise::kNormal, 30, 1);
  EXPECT_EQ(find_steps(other, 5, 0.5).found_s.size(), 0u);
}

// Where brief rises are usual, a quantity alone is believed if its rise lasts.
TEST(NoisyFleet, AStepAmongBurstsIsToldSoonInCompany) {
  NoisyFleet alone(9, Noise::kBursts, 10, 1);
  const auto late = find_steps(alone, 20, 2);
  EXPECT_GE(late.found_s.size(), 15u);
  EXPECT_THAT(stats::median(late.found_s), AllOf(Ge(10.0), Le(16.0)));
  NoisyFleet together(9, Noise::kBursts, 10, 1);
  const auto soon = find_steps(together, 20, 2, 3);
  EXPECT_GE(soon.found_s.size(), 15u);
  EXPECT_THAT(stats::median(soon.found_s), AllOf(Ge(3.2), Le(4.4)));
}

}  // namespace
}  // namespace reveal::peers
