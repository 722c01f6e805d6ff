#include "stats/share_interval.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::stats {
namespace {

using testing::DoubleNear;

void expect_interval(const Interval& found, double low, double high) {
  EXPECT_THAT(found.low, DoubleNear(low, 1e-12));
  EXPECT_THAT(found.high, DoubleNear(high, 1e-12));
}

// scipy.stats.binomtest(k, n).proportion_ci(.95, 'exact').
TEST(BinomialInterval, IsScipys) {
  expect_interval(binomial_interval(0, 10, 0.95), 0, 0.30849710781876294);
  expect_interval(binomial_interval(3, 17, 0.95), 0.03798506807045371, 0.4343178728442839);
  expect_interval(binomial_interval(10, 10, 0.95), 0.6915028921812371, 1);
  expect_interval(binomial_interval(81, 263, 0.95), 0.25273674558504283, 0.3676219226013475);
  expect_interval(binomial_interval(1, 1000, 0.95), 2.5317487491674634e-05, 0.0055589242798499);
}

// scipy.stats.beta.ppf of a = 2.5, b = 8.1 and of a = 3.5, b = 7.1.
TEST(BinomialInterval, NumbersNeedNotBeWhole) {
  expect_interval(binomial_interval(2.5, 9.6, 0.95), 0.046016260219203284, 0.6236434828736068);
}

TEST(BinomialInterval, WithoutTrialsNothingIsKnown) {
  expect_interval(binomial_interval(0, 0, 0.95), 0, 1);
}

// Twice 20 zeros, 5 ones and 15 zeros; from the formulas of the header by numpy, scipy and,
// because scipy's t has nine digits, mpmath.
TEST(ShareOf, StretchesOfOnesTellLessThanTheirFlags) {
  std::vector<double> flags(80, 0);
  for (std::size_t i = 0; i < 5; ++i) flags[20 + i] = flags[60 + i] = 1;
  const auto found = share_of(flags, 10, 3, 0.95);
  EXPECT_EQ(found.share, 0.125);
  EXPECT_THAT(found.trials, DoubleNear(15.6413704945791712, 1e-9));
  EXPECT_THAT(found.interval.low, DoubleNear(0.014957825727956904, 1e-9));
  EXPECT_THAT(found.interval.high, DoubleNear(0.3873072036991916, 1e-9));
}

TEST(ShareOf, FlagsThatAreAllTheSameCountOnceForEachOverlap) {
  const auto found = share_of(std::vector<double>(30, 0.0), 10, 3, 0.95);
  EXPECT_EQ(found.trials, 10);
  expect_interval(found.interval, 0, 0.30849710781876294);
  EXPECT_EQ(share_of(std::vector<double>(30, 1.0), 10, 3, 0.95).share, 1);
}

TEST(ShareOf, NoFlags) {
  EXPECT_TRUE(std::isnan(share_of({}, 10, 3, 0.95).share));
}

// Newcombe 1998, Table II, (b) 9/10 - 3/10, method 10: .1705 to .8090 of Wilson's intervals
// .5958 to .9821 and .1078 to .6032.
TEST(Difference, IsNewcombes) {
  const Share first{0.3, 10, {0.1078, 0.6032}};
  const Share second{0.9, 10, {0.5958, 0.9821}};
  const auto found = difference(first, second);
  EXPECT_THAT(found.low, DoubleNear(0.1705, 2e-4));
  EXPECT_THAT(found.high, DoubleNear(0.8090, 2e-4));
}

}  // namespace
}  // namespace reveal::stats
