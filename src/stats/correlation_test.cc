#include "stats/correlation.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double r(const std::vector<double>& x, const std::vector<double>& y) {
  return correlation(x, y);
}

TEST(Correlation, IsUndefinedWithoutTwoPairsOrWithoutSpread) {
  EXPECT_TRUE(std::isnan(r({}, {})));
  EXPECT_TRUE(std::isnan(r({1.0}, {2.0})));
  EXPECT_TRUE(std::isnan(r({1.0, kNan, 3.0}, {kNan, 2.0, 5.0})));
  EXPECT_TRUE(std::isnan(r({0.1, 0.1, 0.1}, {1.0, 2.0, 3.0})));
  EXPECT_TRUE(std::isnan(r({1.0, 2.0, 3.0}, {1e9, 1e9, 1e9})));
}

TEST(Correlation, OfALineIsOne) {
  EXPECT_DOUBLE_EQ(r({1.0, 2.0, 3.0}, {10.0, 20.0, 30.0}), 1.0);
  EXPECT_DOUBLE_EQ(r({1.0, 2.0, 3.0}, {1e9 - 1.0, 1e9 - 2.0, 1e9 - 3.0}), -1.0);
}

// By hand: deviations -1.5 -0.5 0.5 1.5 and -1 1 -1 1 give 2 / sqrt(5 * 4).
TEST(Correlation, IsPearsons) {
  EXPECT_DOUBLE_EQ(r({1.0, 2.0, 3.0, 4.0}, {5.0, 7.0, 5.0, 7.0}), 1.0 / std::sqrt(5.0));
}

TEST(Correlation, LeavesOutPairsWithAHole) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(r({kNan, 1.0, 2.0, 9.0, 3.0, 4.0, inf}, {3.0, 5.0, 7.0, kNan, 5.0, 7.0, 1.0}),
                   1.0 / std::sqrt(5.0));
}

}  // namespace
}  // namespace reveal::stats
