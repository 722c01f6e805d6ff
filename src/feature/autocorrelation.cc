// How much a sample says about the next one, as tsfresh defines it:
//
//   sum over i of (x[i] - mean) (x[i + lag] - mean) / ((n - lag) variance)
//
// More than `lag` samples. Undefined, NaN, on constant input and wherever the variance is at most
// 1e-8 in the channel's unit squared: tsfresh takes that for zero, and values are to be comparable.
#include <cstddef>
#include <limits>

#include "feature/feature.h"

namespace reveal::feature {
namespace {

constexpr double kNegligibleVariance = 1e-8;

double autocorrelation(const FeatureInput& input, std::size_t lag) {
  const double variance = input.moments.variance();
  if (variance <= kNegligibleVariance) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t pairs = input.values.size() - lag;
  double sum = 0.0;
  for (std::size_t i = 0; i < pairs; ++i)
    sum +=
        input.moments.deviation(input.values[i]) * input.moments.deviation(input.values[i + lag]);
  return sum / (static_cast<double>(pairs) * variance);
}

}  // namespace

double autocorrelation_lag_1(const FeatureInput& input) {
  return autocorrelation(input, 1);
}

}  // namespace reveal::feature
