#include "feature/from_first.h"

#include <algorithm>
#include <cmath>

namespace reveal::feature {

std::vector<double> from_first(std::span<const double> samples) {
  std::vector<double> out;
  out.reserve(samples.size());
  for (const double sample : samples) out.push_back(sample - samples.front());
  return out;
}

std::vector<double> scaled_from_first(std::span<const double> samples, double& unit) {
  auto out = from_first(samples);
  unit = 0.0;
  for (const double value : out) unit = std::max(unit, std::abs(value));
  if (unit > 0.0) {
    for (double& value : out) value /= unit;
  }
  return out;
}

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double variance_about(std::span<const double> values, double mean) {
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace reveal::feature
