// What is far from usual, worked out by hand.
#include "live/deviations.h"

#include <gtest/gtest.h>

namespace reveal::live {
namespace {

TEST(Deviations, AreOfTheMedianInRobustStandardDeviations) {
  EXPECT_NEAR(robust_deviation(10, 4, 2, 99), 6 / (1.4826 * 2), 1e-12);
  EXPECT_NEAR(robust_deviation(-2, 4, 2, 99), 6 / (1.4826 * 2), 1e-12);
  EXPECT_NEAR(robust_deviation(10, 4, 0, 3), 6 / (1.253314 * 3), 1e-12);
  EXPECT_EQ(robust_deviation(5, 4, 0, 0), kFarthestShown);
  EXPECT_EQ(robust_deviation(4, 4, 0, 0), 0);
}

}  // namespace
}  // namespace reveal::live
