#include "text/sparkline.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(Sparkline, ScalesFromLowestToHighest) {
  const std::array<double, 4> values{0, 7, 3.5, 1};
  EXPECT_EQ(sparkline(values, 10), "▁█▅▂");
}

TEST(Sparkline, CornerCases) {
  EXPECT_EQ(sparkline({}, 10), "");
  const std::array<double, 3> equal{5, 5, 5};
  EXPECT_EQ(sparkline(equal, 10), "▁▁▁");
  const std::array<double, 3> gap{0, std::nan(""), 1};
  EXPECT_EQ(sparkline(gap, 10), "▁ █");
}

TEST(Sparkline, ALongRunKeepsItsPeaks) {
  std::vector<double> values(1000, 0.0);
  values[777] = 1;
  const auto text = sparkline(values, 10);
  EXPECT_EQ(text, "▁▁▁▁▁▁▁█▁▁");
  EXPECT_EQ(part_of(777, 1000, 10), 7u);
}

TEST(Bar, FillsItsShare) {
  EXPECT_EQ(bar(0, 4), "░░░░");
  EXPECT_EQ(bar(0.5, 4), "██░░");
  EXPECT_EQ(bar(1.7, 4), "████");
}

}  // namespace
}  // namespace reveal::text
