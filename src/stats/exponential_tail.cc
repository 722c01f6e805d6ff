#include "stats/exponential_tail.h"

#include <algorithm>
#include <cmath>

#include "stats/quantile.h"

namespace reveal::stats {
namespace {

constexpr std::ptrdiff_t kFewest = 5;
constexpr int kHalvings = 60;  // of the scale's logarithm: to the last digit

// Returns the mean of an exponential distribution of that scale between 0 and `width`.
double mean_below(double width, double scale) {
  return scale - width / std::expm1(width / scale);
}

// Returns the scale of which that is the mean. REQUIRES: 0 < mean < width / 2, which an endless
// scale would have.
double scale_with(double mean, double width) {
  double low = mean;  // without a cut it would be just this
  double high = 1e6 * width;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(low * high);
    (mean_below(width, middle) < mean ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

double ExponentialTail::expected_beyond(double value) const {
  return count * std::exp(-(value - from) / scale);
}

std::optional<ExponentialTail> exponential_tail(std::span<const double> sorted, double share,
                                                double cut) {
  const double from = quantile(sorted, share);
  const double width = cut - from;
  if (!(width > 0)) return std::nullopt;
  const auto first = std::upper_bound(sorted.begin(), sorted.end(), from);
  const auto last = std::lower_bound(first, sorted.end(), cut);
  const auto seen = last - first;
  if (seen < kFewest) return std::nullopt;
  double mean = 0;
  for (auto it = first; it != last; ++it) mean += (*it - from) / static_cast<double>(seen);
  if (mean >= width / 2) return std::nullopt;
  ExponentialTail out{.from = from, .scale = scale_with(mean, width)};
  out.count = static_cast<double>(seen) / -std::expm1(-width / out.scale);
  return out;
}

}  // namespace reveal::stats
