#include "stats/moments.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::stats {
namespace {

TEST(Moments, OfNothingAreUndefined) {
  const Moments none = moments({});
  EXPECT_EQ(none.count, 0U);
  EXPECT_TRUE(std::isnan(none.mean));
  EXPECT_TRUE(std::isnan(none.variance()));
  EXPECT_TRUE(std::isnan(none.standard_deviation()));
}

TEST(Moments, OfOneSampleAreItselfWithoutSpread) {
  const Moments one = moments(std::vector{0.1});
  EXPECT_EQ(one.mean, 0.1);
  EXPECT_EQ(one.variance(), 0.0);
}

TEST(Moments, OfAConstantHaveExactlyNoSpread) {
  for (double value : {0.1, 1e9, 1e9 + 0.1, -3e-300, 7e200}) {
    const Moments constant = moments(std::vector<double>(31, value));
    EXPECT_EQ(constant.mean, value);
    EXPECT_EQ(constant.m2, 0.0);
    EXPECT_EQ(constant.m3, 0.0);
    EXPECT_EQ(constant.m4, 0.0);
  }
}

// Deviations of 1 2 3 10 from their mean 4 are -3 -2 -1 6.
TEST(Moments, AreSumsOfPowersOfDeviations) {
  const Moments m = moments(std::vector{1.0, 2.0, 3.0, 10.0});
  EXPECT_DOUBLE_EQ(m.mean, 4.0);
  EXPECT_DOUBLE_EQ(m.m2, 9.0 + 4.0 + 1.0 + 36.0);
  EXPECT_DOUBLE_EQ(m.m3, -27.0 - 8.0 - 1.0 + 216.0);
  EXPECT_DOUBLE_EQ(m.m4, 81.0 + 16.0 + 1.0 + 1296.0);
  EXPECT_DOUBLE_EQ(m.variance(), 12.5);
  EXPECT_DOUBLE_EQ(m.standard_deviation(), std::sqrt(12.5));
}

// Samples on a grid of 2^-20 stay exact when 2^30 is added, so nothing may change but the mean.
TEST(Moments, DoNotChangeWithALargeOffset) {
  base::Rng rng(3);
  std::vector<double> low, high;
  for (int i = 0; i < 600; ++i) {
    low.push_back(std::ldexp(static_cast<double>(rng.below(1U << 22U)), -20));
    high.push_back(low.back() + 0x1p30);
  }
  const Moments a = moments(low);
  const Moments b = moments(high);
  EXPECT_EQ(a.m2, b.m2);
  EXPECT_EQ(a.m3, b.m3);
  EXPECT_EQ(a.m4, b.m4);
  EXPECT_NEAR(b.mean - 0x1p30, a.mean, 1e-6);
}

TEST(Moments, DeviationsSumToZero) {
  const std::vector<double> values{1e9 + 0.25, 1e9 + 7.5, 1e9 - 3.0, 1e9 + 0.125, 1e9};
  const Moments m = moments(values);
  double sum = 0.0;
  for (double value : values) sum += m.deviation(value);
  EXPECT_NEAR(sum, 0.0, 1e-14);
}

}  // namespace
}  // namespace reveal::stats
