// The adjusted excess kurtosis G2, as pandas computes it for tsfresh; 0 for a normal distribution:
//
//   G2 = n (n + 1) (n - 1) m4 / ((n - 2) (n - 3) m2^2) - 3 (n - 1)^2 / ((n - 2) (n - 3))
//
// with m2, m4 the sums of powers of deviations. At least four samples. Zero on constant input. A
// denominator below 1e-14 counts as zero, as in pandas (see skewness.cc): so a signal that moves by
// less than about 1e-5 in the channel's unit has a kurtosis of zero by definition.
#include "feature/feature.h"

namespace reveal::feature {
namespace {

constexpr double kNegligibleDenominator = 1e-14;

}  // namespace

double kurtosis(const FeatureInput& input) {
  const stats::Moments& moments = input.moments;
  const auto n = static_cast<double>(moments.count);
  const double pairs = (n - 2.0) * (n - 3.0);
  const double denominator = pairs * moments.m2 * moments.m2;
  if (denominator < kNegligibleDenominator) return 0.0;
  return n * (n + 1.0) * (n - 1.0) * moments.m4 / denominator - 3.0 * (n - 1.0) * (n - 1.0) / pairs;
}

}  // namespace reveal::feature
