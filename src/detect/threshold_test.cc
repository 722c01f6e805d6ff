#include "detect/threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace reveal::detect {
namespace {

std::vector<double> counting(int count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 1.0);
  return out;
}

TEST(VerdictOptions, ContaminationLiesInHalfOpenInterval) {
  const auto ok = [](double contamination) {
    return VerdictOptions{contamination, Threshold::fixed(3.0)}.check().has_value();
  };
  EXPECT_TRUE(ok(0.01));
  EXPECT_TRUE(ok(0.5));
  EXPECT_FALSE(ok(0.0));
  EXPECT_FALSE(ok(0.51));
  EXPECT_FALSE(ok(-0.1));
  EXPECT_FALSE(ok(std::numeric_limits<double>::quiet_NaN()));
}

TEST(VerdictOptions, ThresholdIsFinite) {
  EXPECT_TRUE((VerdictOptions{0.01, kThresholdOff}.check()));
  EXPECT_FALSE(
      (VerdictOptions{0.01, Threshold::fixed(std::numeric_limits<double>::quiet_NaN())}.check()));
  EXPECT_FALSE(
      (VerdictOptions{0.01, Threshold::fixed(std::numeric_limits<double>::infinity())}.check()));
}

TEST(Percentile, IsNumpysLinearQuantile) {
  // numpy.quantile(numpy.arange(1, 61), 0.99) = 59.41
  EXPECT_NEAR(percentile_limit(counting(60), 0.01), 59.41, 1e-12);
  EXPECT_NEAR(percentile_limit(counting(101), 0.5), 51.0, 1e-12);
}

TEST(UsualRange, IsMedianAndWhatLiesBelow) {
  const UsualRange usual = usual_range(counting(101));  // numpy.quantile(..., 0.158655) = 16.8655
  EXPECT_DOUBLE_EQ(usual.center, 51.0);
  EXPECT_NEAR(usual.spread, 34.1345, 1e-9);
  EXPECT_NEAR(usual.limit(3.0), 153.4035, 1e-9);
}

TEST(UsualRange, WhatIsHighChangesNothing) {
  std::vector<double> sorted = counting(100);
  const UsualRange usual = usual_range(sorted);
  std::for_each(sorted.begin() + 60, sorted.end(), [](double& score) { score *= 1000; });
  EXPECT_EQ(usual_range(sorted).limit(3.0), usual.limit(3.0));
}

TEST(UsualRange, OfMostlyEqualScoresUsesTheMeanDeviation) {
  std::vector<double> sorted(90, 1.0);
  sorted.insert(sorted.end(), 10, 11.0);  // mean absolute deviation from the median: 1
  const UsualRange usual = usual_range(sorted);
  EXPECT_DOUBLE_EQ(usual.center, 1.0);
  EXPECT_NEAR(usual.spread, 1.2533, 1e-4);
  EXPECT_LT(usual.limit(3.0), 11.0);
}

TEST(UsualRange, OfEqualScoresKeepsRoundingIn) {
  std::vector<double> sorted(59, 7.0);
  sorted.push_back(std::nextafter(7.0, 8.0));
  EXPECT_GT(usual_range(sorted).limit(3.0), sorted.back());
  EXPECT_GT(usual_range(std::vector<double>(60, 7.0)).limit(3.0), 7.0);
  EXPECT_EQ(usual_range(std::vector<double>(60, 0.0)).limit(3.0), 0.0);
}

TEST(UsualRange, IsNoNarrowerThanAsked) {
  std::vector<double> sorted(95, 0.0);
  sorted.insert(sorted.end(), 5, 0.01);  // mean absolute deviation from the median: 0.0005
  EXPECT_NEAR(usual_range(sorted).spread, 0.00062666, 1e-7);
  EXPECT_EQ(usual_range(sorted, 0.01).spread, 0.01);
  EXPECT_EQ(usual_range(counting(101), 0.01).spread, usual_range(counting(101)).spread);
  const VerdictOptions options{.threshold = Threshold::fixed(3.0), .resolution = 0.01};
  EXPECT_DOUBLE_EQ(limits_of(sorted, options).alarm_limit, 0.03);
}

// By hand: 1.4 for each factor of three from 4 on.
TEST(ThresholdMultiplier, GrowsWithTheRun) {
  EXPECT_NEAR(automatic_threshold(36), 2.8, 1e-12);
  EXPECT_NEAR(automatic_threshold(108), 4.2, 1e-12);
  EXPECT_NEAR(automatic_threshold(20), 2.0510, 1e-4);
  EXPECT_NEAR(automatic_threshold(3600), 8.6685, 1e-4);
  EXPECT_EQ(automatic_threshold(3), 0.0);
}

// By hand.
TEST(MidRank, IsTheShareThatIsLowerAndHalfOfTheEqual) {
  const std::vector<double> sorted{1, 2, 2, 2, 5};
  EXPECT_DOUBLE_EQ(mid_rank(0, sorted), 0);
  EXPECT_DOUBLE_EQ(mid_rank(1, sorted), 0.1);
  EXPECT_DOUBLE_EQ(mid_rank(2, sorted), 0.5);
  EXPECT_DOUBLE_EQ(mid_rank(3, sorted), 0.8);
  EXPECT_DOUBLE_EQ(mid_rank(9, sorted), 1);
}

TEST(WindowsJudged, ARunOfDaysIsJudgedAsOneOfADay) {
  constexpr Eigen::Index kMinutes = 1440;
  const VerdictOptions by_minutes{.a_day = kMinutes};
  EXPECT_EQ(windows_judged({}, 3 * kMinutes), 3 * kMinutes);
  EXPECT_EQ(windows_judged(by_minutes, 60), 60);
  EXPECT_EQ(windows_judged(by_minutes, 3 * kMinutes), kMinutes);
  const VerdictOptions by_hours{.a_day = 24};
  EXPECT_EQ(windows_judged(by_hours, 60), 60);
  EXPECT_EQ(windows_judged(by_hours, 600), kMinOfADay);
  EXPECT_EQ(windows_judged({.a_day = kMinutes, .so_far = 600}, 60), 600);
  EXPECT_EQ(windows_judged({.a_day = kMinutes, .so_far = 3 * kMinutes}, 60), kMinutes);
  // What judges others judges them for as long as it takes.
  EXPECT_EQ(windows_judged(by_hours, 60, true), kMinOthers);
  EXPECT_EQ(windows_judged(by_minutes, 3 * kMinutes, true), 3 * kMinutes);
}

TEST(WindowsJudged, FewWindowsThatOverlapALotAreJudgedAsMore) {
  for (const Eigen::Index neighbors : {0, 3}) {
    EXPECT_EQ(windows_judged({.neighbors = neighbors}, 30), 30);
  }
  EXPECT_EQ(windows_judged({.neighbors = 5}, 30), kMinOverlapping);
  EXPECT_EQ(windows_judged({.neighbors = 5}, 500), 500);
}

}  // namespace
}  // namespace reveal::detect
