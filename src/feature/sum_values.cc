// The total of the samples: what is asked of events, which are counts. Whole numbers stay whole up
// to 2^53. One sample is enough; on constant input c it is n * c.
#include <numeric>

#include "feature/feature.h"

namespace reveal::feature {

double sum_values(const FeatureInput& input) {
  return std::accumulate(input.values.begin(), input.values.end(), 0.0);
}

}  // namespace reveal::feature
