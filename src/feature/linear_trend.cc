// The least-squares line through the samples against 0, 1, ..., n - 1, as scipy's linregress has
// it:
//
//   slope = Sxy / Sxx        rvalue = Sxy / sqrt(Sxx Syy)
//
// with x centred, so that y needs no centring for Sxy; it is taken from the first sample to keep
// large offsets out. At least two samples. On constant input both are 0, though the second is 0 / 0
// in truth: linregress says 0, "no trend". Holes in a window close up: the axis counts samples.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "feature/feature.h"

namespace reveal::feature {
namespace {

double sxx(const FeatureInput& input) {
  const auto n = static_cast<double>(input.values.size());
  return n * (n * n - 1.0) / 12.0;
}

double sxy(const FeatureInput& input) {
  const double centre = 0.5 * (static_cast<double>(input.values.size()) - 1.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < input.values.size(); ++i)
    sum += (static_cast<double>(i) - centre) * (input.values[i] - input.moments.origin);
  return sum;
}

}  // namespace

double linear_trend_slope(const FeatureInput& input) {
  return sxy(input) / sxx(input);
}

double linear_trend_rvalue(const FeatureInput& input) {
  if (input.moments.m2 == 0.0) return 0.0;
  const double r = sxy(input) / (std::sqrt(sxx(input)) * std::sqrt(input.moments.m2));
  return std::clamp(r, -1.0, 1.0);
}

}  // namespace reveal::feature
