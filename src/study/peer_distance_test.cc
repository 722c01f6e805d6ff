#include "study/peer_distance.h"

#include <gtest/gtest.h>

namespace reveal::study {
namespace {

constexpr double kScale = 1.4826;  // of a median absolute deviation, to a standard deviation

fleet::Quantity gauge(std::string_view unit = "") {
  fleet::Quantity out;
  out.unit = unit;
  return out;
}

std::vector<PeerDistance> distances(std::vector<SampleLevel> hosts, std::string_view unit = "") {
  return peer_distances(hosts, gauge(unit), {});
}

TEST(SampleLevel, IsThatOfNumpy) {
  // np.percentile([4, 1, 3, 2, 10], [5, 50, 95]) is 1.2, 3, 8.8; deviations 0, 1, 1, 2, 7.
  const auto level = level_of({4, 1, 3, 2, 10});
  EXPECT_DOUBLE_EQ(level.low, 1.2);
  EXPECT_EQ(level.median, 3);
  EXPECT_DOUBLE_EQ(level.high, 8.8);
  EXPECT_EQ(level.mad, 1);
}

TEST(PeerDistances, AreInDeviationsOfThePeersFromOneAnother) {
  // Peers of the last: 10, 20, 30, 40: median 25, deviations 15, 5, 5, 15.
  const auto found = distances({{10}, {20}, {30}, {40}, {125}});
  EXPECT_EQ(found[4].peers_median, 25);
  EXPECT_DOUBLE_EQ(found[4].distance, 100 / (kScale * 10));
  // Of the first: 20, 30, 40, 125: median 35, deviations 15, 5, 5, 90. The outlier moves it little.
  EXPECT_EQ(found[0].peers_median, 35);
  EXPECT_DOUBLE_EQ(found[0].distance, 25 / (kScale * 10));
}

TEST(PeerDistances, OfPeersThatMoveAreInDeviationsOverTime) {
  const auto found = distances({{.median = 10, .mad = 4}, {10, 5}, {10, 60}, {40, 0}});
  EXPECT_DOUBLE_EQ(found[3].distance, 30 / (kScale * 5));
}

TEST(PeerDistances, OfTwoHostsAreThoseFromTheOther) {
  const auto found = distances({{.median = 10, .mad = 2}, {30, 4}});
  EXPECT_EQ(found[0].peers_median, 30);
  EXPECT_DOUBLE_EQ(found[0].distance, 20 / (kScale * 4));
  EXPECT_DOUBLE_EQ(found[1].distance, 20 / (kScale * 2));
}

TEST(PeerDistances, WhatNeverMovesIsInDifferencesThatMatter) {
  // Of a gauge two hundredths of the level, of bytes 64 KiB, and at least half a thing.
  EXPECT_DOUBLE_EQ(distances({{1000}, {1000}, {1100}})[2].distance, 100 / 20.0);
  EXPECT_DOUBLE_EQ(distances({{0}, {0}, {4 * 65536}}, "bytes")[2].distance, 4);
  EXPECT_DOUBLE_EQ(distances({{0}, {0}, {3}})[2].distance, 6);
  EXPECT_EQ(distances({{0}, {0}, {0}})[2].distance, 0);
}

}  // namespace
}  // namespace reveal::study
