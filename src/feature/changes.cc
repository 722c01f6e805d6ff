// Features of the steps from one sample to the next:
//
//   absolute_sum_of_changes = sum of |x[i + 1] - x[i]|
//   mean_change             = (x[n - 1] - x[0]) / (n - 1)
//
// At least two samples: one sample has no step, so its change is undefined rather than 0. Both are
// 0 on constant input. A step across a hole in the window counts as one step.
#include <cmath>
#include <cstddef>

#include "feature/feature.h"

namespace reveal::feature {

double absolute_sum_of_changes(const FeatureInput& input) {
  double sum = 0.0;
  for (std::size_t i = 1; i < input.values.size(); ++i)
    sum += std::abs(input.values[i] - input.values[i - 1]);
  return sum;
}

double mean_change(const FeatureInput& input) {
  const auto steps = static_cast<double>(input.values.size() - 1);
  return (input.values.back() - input.values.front()) / steps;
}

}  // namespace reveal::feature
