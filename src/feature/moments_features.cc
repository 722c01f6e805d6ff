// The features that are moments: mean, variance and standard deviation, all with the divisor n, as
// numpy and tsfresh have them. One sample is enough. On constant input c: c, 0, 0, exactly.
#include "feature/feature.h"

namespace reveal::feature {

double mean(const FeatureInput& input) {
  return input.moments.mean;
}

double variance(const FeatureInput& input) {
  return input.moments.variance();
}

double standard_deviation(const FeatureInput& input) {
  return input.moments.standard_deviation();
}

}  // namespace reveal::feature
