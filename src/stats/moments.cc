#include "stats/moments.h"

#include <cmath>

namespace reveal::stats {

double Moments::variance() const {
  return m2 / static_cast<double>(count);
}

double Moments::standard_deviation() const {
  return std::sqrt(variance());
}

Moments moments(std::span<const double> values) {
  Moments result;
  if (values.empty()) return result;
  result.count = values.size();
  result.origin = values.front();
  double sum = 0.0;
  for (double value : values) sum += value - result.origin;
  result.mean_from_origin = sum / static_cast<double>(values.size());
  result.mean = result.origin + result.mean_from_origin;
  for (double value : values) {
    const double deviation = result.deviation(value);
    const double square = deviation * deviation;
    result.m2 += square;
    result.m3 += square * deviation;
    result.m4 += square * square;
  }
  return result;
}

}  // namespace reveal::stats
