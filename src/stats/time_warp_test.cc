#include "stats/time_warp.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::stats {
namespace {

using Series = std::vector<double>;
using testing::DoubleEq;

// The definition, path by path.
double least_over_all_paths(const Series& x, const Series& y, std::size_t i, std::size_t j,
                            std::size_t band) {
  const std::size_t apart = i > j ? i - j : j - i;
  if (apart > band) return INFINITY;
  const double here = std::abs(x[i] - y[j]);
  if (i == 0 && j == 0) return here;
  double before = INFINITY;
  if (i > 0) before = std::min(before, least_over_all_paths(x, y, i - 1, j, band));
  if (j > 0) before = std::min(before, least_over_all_paths(x, y, i, j - 1, band));
  if (i > 0 && j > 0) before = std::min(before, least_over_all_paths(x, y, i - 1, j - 1, band));
  return here + before;
}

TEST(TimeWarp, EqualSeriesAreNotApart) {
  const Series x{3, 1, 4, 1, 5};
  EXPECT_EQ(time_warp_distance(x, x, 5), 0);
  EXPECT_EQ(time_warp_distance({}, {}, 5), 0);
}

TEST(TimeWarp, AShiftedPeakIsFoundWithinTheBand) {
  const Series x{0, 0, 9, 0, 0, 0, 0, 0};
  const Series y{0, 0, 0, 0, 9, 0, 0, 0};
  EXPECT_EQ(time_warp_distance(x, y, 2), 0);
  EXPECT_EQ(time_warp_distance(x, y, 0), 18);
}

TEST(TimeWarp, IsTheLeastOfAllPaths) {
  base::Rng random(7);
  for (std::size_t n = 1; n <= 7; ++n) {
    for (std::size_t band = 0; band <= n; ++band) {
      Series x;
      Series y;
      for (std::size_t i = 0; i < n; ++i) {
        x.push_back(random.uniform());
        y.push_back(random.uniform());
      }
      EXPECT_THAT(time_warp_distance(x, y, band),
                  DoubleEq(least_over_all_paths(x, y, n - 1, n - 1, band)))
          << n << " " << band;
    }
  }
}

}  // namespace
}  // namespace reveal::stats
