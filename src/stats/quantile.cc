#include "stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace reveal::stats {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// An infinite end is returned as it is, so that inf - inf makes no NaN; from the middle on the line
// is drawn from its upper end, so that it never oversteps it.
double between(double low, double high, double share) {
  if (low == high || share == 0.0 || std::isinf(low)) return low;
  if (std::isinf(high)) return high;
  const double step = high - low;
  return share < 0.5 ? low + step * share : high - step * (1.0 - share);
}

// Leaves the values in another order.
double median_in(std::vector<double>& values) {
  if (values.empty()) return kUndefined;
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return std::midpoint(*std::max_element(values.begin(), half), *half);
}

}  // namespace

double quantile(std::span<const double> sorted, double q) {
  if (sorted.empty()) return kUndefined;
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return between(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median_of_sorted(std::span<const double> sorted) {
  if (sorted.empty()) return kUndefined;
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  return std::midpoint(sorted[half - 1], sorted[half]);  // cannot overflow
}

double median(std::vector<double> values) {
  return median_in(values);
}

double mad(std::vector<double> values) {
  const double middle = median_in(values);
  // An infinite median leaves infinite samples at no distance from it, not at inf - inf.
  for (double& value : values) value = value == middle ? 0.0 : std::abs(value - middle);
  return median_in(values);
}

}  // namespace reveal::stats
