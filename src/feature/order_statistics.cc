// The features that only need the samples in order. One sample is enough; on constant input c all
// are c.
#include "feature/feature.h"
#include "stats/quantile.h"

namespace reveal::feature {

double minimum(const FeatureInput& input) {
  return input.sorted.front();
}

double maximum(const FeatureInput& input) {
  return input.sorted.back();
}

double median(const FeatureInput& input) {
  return stats::median_of_sorted(input.sorted);
}

}  // namespace reveal::feature
