// How often values fell into ranges, as Prometheus' histograms count them. The ranges are fixed
// when it is made, so that its size is bounded. For one thread; copies are plain values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reveal::serve {

class Histogram {
 public:
  // REQUIRES: `bounds`, the upper ends of the ranges, grow, and none is infinite or NaN.
  explicit Histogram(std::span<const double> bounds)
      : bounds_(bounds.begin(), bounds.end()), counts_(bounds.size() + 1) {}

  // Counts a value in the first range whose end is not below it. NaN is not counted.
  void add(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  // By range; the last one has what exceeds all bounds.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  double sum() const { return sum_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

// The ranges, in seconds, of what the agent measures of itself: a tick's lateness and cost, and the
// time from a window's end to its verdict.
inline constexpr double kTickBounds_s[] = {.0005, .001, .002, .005, .01, .02, .05, .1, .2};
inline constexpr double kVerdictBounds_s[] = {.1, .2, .5, 1, 1.2, 2, 5};

}  // namespace reveal::serve
