#include "perf/scaled_count.h"

#include <gtest/gtest.h>

namespace reveal::perf {
namespace {

constexpr std::uint64_t kMax = ~0ULL;

TEST(ScaledCount, NeverRunMeansUnknownNotZero) {
  EXPECT_FALSE(scaled_count(0, 0, 0));
  EXPECT_FALSE(scaled_count(5, 100, 0));
}

TEST(ScaledCount, ExactWhereItRanAllTheTime) {
  EXPECT_EQ(scaled_count(kMax, 7, 7), ScaledCount(kMax));
  EXPECT_EQ(scaled_count((1ULL << 53) + 1, kMax, kMax), ScaledCount((1ULL << 53) + 1));
}

TEST(ScaledCount, HalfTheTimeCountsTwice) {
  EXPECT_EQ(scaled_count(1000, 200, 100), ScaledCount(2000));
  EXPECT_EQ(scaled_count(10, 300, 200), ScaledCount(15));
  EXPECT_EQ(scaled_count(1, 3, 2), ScaledCount(2));  // 1.5 rounds up
}

TEST(ScaledCount, WhatDoesNotFitIsUnknown) {
  EXPECT_FALSE(scaled_count(kMax, 2, 1));
}

}  // namespace
}  // namespace reveal::perf
