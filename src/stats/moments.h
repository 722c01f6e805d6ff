// The first four moments of a run of samples, safe where telemetry is worst: counters and power
// readings that sit at 1e9 and move by one. Sums of raw powers cancel there; these are sums of
// powers of deviations, and the deviations are taken in two steps. First from the first sample,
// which is exact between near numbers, then from the mean of those differences. So the result does
// not depend on where the samples lie, and a constant has a variance of exactly zero.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace reveal::stats {

struct Moments {
  std::size_t count = 0;
  double mean = std::numeric_limits<double>::quiet_NaN();
  double m2 = 0.0;  // sum of squared deviations from the mean
  double m3 = 0.0;  // sum of cubed ones
  double m4 = 0.0;  // sum of fourth powers

  double origin = 0.0;            // the first sample
  double mean_from_origin = 0.0;  // mean - origin, without the rounding of mean

  // Returns value - mean, exact to the rounding of the spread rather than of the mean.
  double deviation(double value) const { return (value - origin) - mean_from_origin; }

  // Return the population variance (divisor `count`) and its root; NaN for no samples.
  double variance() const;
  double standard_deviation() const;
};

// Returns the moments of the samples. REQUIRES: all finite.
Moments moments(std::span<const double> values);

}  // namespace reveal::stats
