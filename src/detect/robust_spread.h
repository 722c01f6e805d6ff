// A standard deviation that rare events do not move, and how more windows are taken into it.
#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Core>

#include "stats/quantile.h"

namespace reveal::detect {

// Where the middle of a normal distribution ends, as a share on either side, and how many standard
// deviations that is wide.
struct Middle {
  double tail;
  double width;
};
inline constexpr Middle kMiddleFourFifths{0.1, 2.5631};
inline constexpr Middle kMiddleThreeFifths{0.2, 1.6832};

// Returns the larger of 1.4826 times the median absolute deviation and the middle's width over what
// that is of a normal distribution: of one, both are the standard deviation; if there are two usual
// levels, the second is larger. REQUIRES: ascending, not empty.
inline double robust_spread(const std::vector<double>& sorted, const Middle& middle) {
  const double width =
      stats::quantile(sorted, 1 - middle.tail) - stats::quantile(sorted, middle.tail);
  return std::max(stats::kDeviationOfMad * stats::mad(sorted), width / middle.width);
}

// Makes `mean`, which is of `rows` windows, the mean by windows of it and of `more`, of `added`
// ones.
inline void average_by_windows(double rows, double added, const Eigen::VectorXd& more,
                               Eigen::VectorXd& mean) {
  const double share = added / (rows + added);
  mean += share * (more - mean);
}

}  // namespace reveal::detect
