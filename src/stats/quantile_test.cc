#include "stats/quantile.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::stats {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Quantile, IsUndefinedForNoSamples) {
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(mad({})));
}

TEST(Quantile, OfOneSampleIsThatSample) {
  const std::vector<double> one{7.0};
  for (double q : {0.0, 0.3, 1.0}) EXPECT_EQ(quantile(one, q), 7.0);
  EXPECT_EQ(median({7.0}), 7.0);
  EXPECT_EQ(mad({7.0}), 0.0);
}

// Expected values by hand: position q * (n - 1) between neighbors.
TEST(Quantile, InterpolatesBetweenNeighbors) {
  const std::vector<double> sorted{1.0, 2.0, 4.0, 8.0, 16.0};
  auto f = [&](double q, double expected) { EXPECT_DOUBLE_EQ(quantile(sorted, q), expected) << q; };
  f(0.0, 1.0);
  f(0.125, 1.5);
  f(0.25, 2.0);
  f(0.5, 4.0);
  f(0.9, 12.8);
  f(0.99, 15.68);
  f(1.0, 16.0);
}

TEST(Quantile, KeepsInfinities) {
  const std::vector<double> sorted{-kInf, 0.0, kInf, kInf};
  EXPECT_EQ(quantile(sorted, 0.0), -kInf);
  EXPECT_EQ(quantile(sorted, 0.1), -kInf);
  EXPECT_EQ(quantile(sorted, 0.5), kInf);
  EXPECT_EQ(quantile(sorted, 0.9), kInf);
  EXPECT_EQ(quantile(sorted, 1.0), kInf);
  EXPECT_EQ(median({kInf, kInf, 1.0}), kInf);
  EXPECT_EQ(mad({kInf, kInf, 1.0}), 0.0);
}

TEST(Median, SortsWhatItIsGiven) {
  EXPECT_EQ(median({9.0, 1.0, 5.0}), 5.0);
  EXPECT_EQ(median({9.0, 1.0, 5.0, 2.0}), 3.5);
}

TEST(Median, OfTwoLargestNumbersDoesNotOverflow) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(median({largest, largest}), largest);
}

// Median 2; deviations 1 1 0 0 2 4 7 have the median 1.
TEST(Mad, IsRaw) {
  EXPECT_EQ(mad({1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0}), 1.0);
}

TEST(Mad, IgnoresHalfOfTheSamples) {
  EXPECT_EQ(mad({5.0, 5.0, 5.0, 1e300, -1e300}), 0.0);
}

}  // namespace
}  // namespace reveal::stats
