// Order statistics, the robust side of the project: baselines, thresholds and the median feature
// all come from here. Definitions are numpy's (quantile with method "linear", median), so every
// value can be checked against it. Infinite samples are legal; NaN is not, because it has no place
// in an order.
#pragma once

#include <span>
#include <vector>

namespace reveal::stats {

// Returns the value below which the share `q` of the samples lies, linear between neighbors; NaN
// for no samples. REQUIRES: `sorted` is ascending without NaN, 0 <= q <= 1.
double quantile(std::span<const double> sorted, double q);

// Returns the middle sample, or the mean of the middle two; NaN for no samples.
// REQUIRES: `sorted` is ascending without NaN.
double median_of_sorted(std::span<const double> sorted);

// Returns the median of samples in any order. REQUIRES: no NaN.
double median(std::vector<double> values);

// What makes a median absolute deviation estimate a normal distribution's standard deviation.
inline constexpr double kDeviationOfMad = 1.4826;

// Returns the median of the absolute deviations from the median, raw: without kDeviationOfMad. NaN
// for no samples. REQUIRES: no NaN.
double mad(std::vector<double> values);

}  // namespace reveal::stats
