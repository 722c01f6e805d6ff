#include "stats/signed_rank.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::stats {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;

TEST(SignedRank, AllOfOneSignIsTheLeastProbable) {
  for (std::size_t n = 1; n <= 20; ++n) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < n; ++i) differences.push_back(1.5 + static_cast<double>(i));
    const auto found = signed_rank(differences);
    EXPECT_EQ(found.below, 0);
    EXPECT_THAT(found.above, DoubleEq(static_cast<double>(n * (n + 1)) / 2));
    EXPECT_THAT(found.p, DoubleEq(std::min(1.0, std::exp2(1.0 - static_cast<double>(n)))));
  }
}

// Darwin's maize: differences in eighths of an inch; sums 96 and
// 24; scipy.stats.wilcoxon gives p = 0.04125976562 (scipy's doc string has the data).
TEST(SignedRank, DarwinsMaize) {
  const std::vector<double> differences{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
  const auto found = signed_rank(differences);
  EXPECT_EQ(found.above, 96);
  EXPECT_EQ(found.below, 24);
  EXPECT_THAT(found.p, DoubleNear(0.041259765625, 1e-12));
}

// Counted by hand: ranks 2, 2, 2, 4 and signs + + - +; of 16 assignments the smaller sum is at most
// 2 in 8: none or one of the three 2s on either side.
TEST(SignedRank, EqualSizesShareARankAndZerosCountNothing) {
  const auto found = signed_rank(std::vector<double>{1, 0, 1, -1, 0, 5});
  EXPECT_EQ(found.count, 4U);
  EXPECT_EQ(found.above, 8);
  EXPECT_EQ(found.below, 2);
  EXPECT_THAT(found.p, DoubleEq(0.5));
}

TEST(SignedRank, NothingLeftSaysNothing) {
  EXPECT_EQ(signed_rank({}).p, 1);
  EXPECT_EQ(signed_rank(std::vector<double>{0, 0}).p, 1);
}

// More than kMostExact: 60 differences 1..60, every third negative. Sums by hand: the negative
// ranks 3, 6, ..., 60 sum to 3 * 210 = 630; mean 60 * 61 / 4 = 915, variance 60 * 61 * 121 / 24.
TEST(SignedRank, ManyAreApproximatedNormally) {
  std::vector<double> differences;
  for (int i = 1; i <= 60; ++i) differences.push_back(i % 3 == 0 ? -i : i);
  const auto found = signed_rank(differences);
  EXPECT_EQ(found.below, 630);
  const double z = (915.0 - 630.0) / std::sqrt(60.0 * 61 * 121 / 24);
  EXPECT_THAT(found.p, DoubleNear(std::erfc(z / std::sqrt(2.0)), 1e-14));
}

}  // namespace
}  // namespace reveal::stats
