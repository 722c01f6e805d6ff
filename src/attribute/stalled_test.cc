#include "attribute/stalled.h"

#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

using Rows = std::vector<std::size_t>;

constexpr double kHalf = 1;   // of what raises an alarm
constexpr double kAlarm = 2;  // on the scores' scale

// Windows of 3 s every second, one detector's scores of them, and the group of all.
class Stalled : public testing::Test {
 protected:
  explicit Stalled(std::size_t windows = 100) : group_(windows) {
    std::iota(group_.begin(), group_.end(), std::size_t{0});
    for (const auto row : group_) {
      const auto begin = static_cast<std::int64_t>(row);
      matrix_.add_row({window::WindowId(row), begin, begin + 3, row, 0});
    }
    saturation_.scores = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(windows));
    saturation_.limits = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(windows), kAlarm);
    saturation_.hysteresis_limit = kHalf;
    saturation_.flagged.assign(windows, false);
  }

  void rise(std::size_t first, std::size_t last, bool alarm) {
    for (std::size_t row = first; row <= last; ++row) {
      saturation_.scores(static_cast<Eigen::Index>(row)) = 1.5 * kHalf;
      saturation_.flagged[row] = alarm;
    }
  }

  std::vector<Stretch> split(bool at_start = false) const {
    return split_by_stall(matrix_, saturation_, group_, at_start);
  }

  // Expects the group to be one, a finding or a change.
  void expect_whole(bool stalled, bool at_start = false) const {
    const auto parts = split(at_start);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts.front().rows, group_);
    EXPECT_EQ(parts.front().stalled, stalled);
  }

  Rows group_;
  feature::FeatureMatrix matrix_;
  detect::DetectorVerdict saturation_;
};

TEST_F(Stalled, IslandsThatRaiseAnAlarmAreFindingsAndTheRestIsOneChange) {
  rise(20, 24, true);
  rise(50, 52, false);
  rise(70, 75, true);
  const auto parts = split_into_islands(matrix_, saturation_, group_);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].rows.front(), 18u);
  EXPECT_EQ(parts[0].rows.back(), 26u);
  EXPECT_TRUE(parts[0].stalled);
  EXPECT_EQ(parts[1].rows.front(), 68u);
  EXPECT_EQ(parts[1].rows.back(), 77u);
  EXPECT_TRUE(parts[1].stalled);
  EXPECT_FALSE(parts[2].stalled);
  EXPECT_EQ(parts[2].rows.size(), 81u);
  EXPECT_EQ(parts[2].rows.front(), 0u);
  EXPECT_EQ(parts[2].rows.back(), 99u);
}

TEST_F(Stalled, IslandsNearEachOtherAreOne) {
  rise(20, 22, true);
  rise(35, 37, false);  // with their neighbors 18 to 24 and 33 to 39
  const auto parts = split_into_islands(matrix_, saturation_, group_);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].rows.front(), 18u);
  EXPECT_EQ(parts[0].rows.back(), 39u);
}

TEST_F(Stalled, IslandsThatAreHalfOfTheGroupMakeItAFinding) {
  rise(0, 45, true);
  const auto most = split_into_islands(matrix_, saturation_, group_);
  EXPECT_EQ(most.size(), 2u);
  rise(46, 47, false);
  const auto parts = split_into_islands(matrix_, saturation_, group_);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts.front().rows, group_);
  EXPECT_TRUE(parts.front().stalled);
}

TEST_F(Stalled, WithoutAnIslandThatRaisesAnAlarmItIsAChange) {
  EXPECT_FALSE(split_into_islands(matrix_, saturation_, group_).front().stalled);
  rise(20, 24, false);
  const auto parts = split_into_islands(matrix_, saturation_, group_);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts.front().rows, group_);
  EXPECT_FALSE(parts.front().stalled);
}

TEST_F(Stalled, NothingThatRisesIsAChange) {
  expect_whole(false);
}

TEST_F(Stalled, HalfAnAlarmOverMostOfTheGroupIsAFinding) {
  rise(30, 69, false);
  expect_whole(true);
}

TEST_F(Stalled, AtTheStartOfARunHalfAnAlarmIsAChange) {
  rise(0, 99, false);
  expect_whole(true);
  expect_whole(false, /*at_start=*/true);
  rise(50, 50, true);
  expect_whole(true, /*at_start=*/true);
}

// With the windows of 28 to 49 that share a sample, so long that 28 before are more.
TEST_F(Stalled, HalfAnAlarmInALongChangeIsAChange) {
  rise(30, 47, false);
  expect_whole(false);
}

TEST_F(Stalled, AnAlarmLateInALongChangeIsAFindingOfItsOwn) {
  rise(60, 70, true);
  const auto parts = split();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_FALSE(parts[0].stalled);
  EXPECT_EQ(parts[0].rows, Rows(group_.begin(), group_.begin() + 58));
  EXPECT_TRUE(parts[1].stalled);
  EXPECT_EQ(parts[1].rows, Rows(group_.begin() + 58, group_.end()));
}

TEST_F(Stalled, WhatDiesAwayAfterAnAlarmBelongsToIt) {
  rise(3, 9, true);
  expect_whole(true);
}

TEST_F(Stalled, WithoutAThresholdOnlyAnAlarmCounts) {
  saturation_.hysteresis_limit = std::nan("");
  rise(10, 89, false);
  expect_whole(false);
  rise(10, 89, true);
  expect_whole(true);
}

}  // namespace
}  // namespace reveal::attribute
