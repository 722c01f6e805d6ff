// How often values fell into ranges, as Prometheus' histograms count them. The ranges are fixed
// when it is made, so that its size is bounded. For one thread; copies are plain values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reveal::http {

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

}  // namespace reveal::http
