// Wilcoxon's signed-rank test of paired samples (F. Wilcoxon, "Individual comparisons by ranking
// methods", Biometrics Bulletin 1, 1945): whether differences lie as often and as far above zero as
// below.
//
// Differences of zero are left out; equal sizes share the mean of their ranks. p is exact for up to
// kMostExact differences, by counting all assignments of signs, also with equal sizes; beyond that
// it is the normal approximation with the correction for equal sizes. Without zeros and equal sizes
// both are those of scipy.stats.wilcoxon.
#pragma once

#include <cstddef>
#include <span>

namespace reveal::stats {

struct SignedRank {
  static constexpr std::size_t kMostExact = 50;

  std::size_t count = 0;  // differences other than zero
  double above = 0;       // sum of the ranks of positive differences, and of negative ones
  double below = 0;
  double p = 1;  // two-sided; 1 if no difference is left
};

// Returns the test of the differences. REQUIRES: no NaN.
SignedRank signed_rank(std::span<const double> differences);

}  // namespace reveal::stats
