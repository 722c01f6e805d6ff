// The adjusted Fisher-Pearson coefficient G1, as pandas computes it for tsfresh:
//
//   G1 = n sqrt(n - 1) / (n - 2) * m3 / m2^1.5      (m2, m3: sums of powers of deviations)
//
// At least three samples. Zero on constant input. Sums of powers below 1e-14, in the channel's
// unit, count as zero: pandas cuts off there to keep rounding from becoming a skewness. Our sums
// carry no such rounding, but values are to be comparable, so a signal that moves by less than
// about 1e-8 (for the third power about 1e-5) has a skewness of zero by definition.
#include <cmath>

#include "feature/feature.h"

namespace reveal::feature {
namespace {

constexpr double kNegligibleSum = 1e-14;

}  // namespace

double skewness(const FeatureInput& input) {
  const stats::Moments& moments = input.moments;
  if (moments.m2 < kNegligibleSum || std::abs(moments.m3) < kNegligibleSum) return 0.0;
  const auto n = static_cast<double>(moments.count);
  return n * std::sqrt(n - 1.0) / (n - 2.0) * moments.m3 / (moments.m2 * std::sqrt(moments.m2));
}

}  // namespace reveal::feature
