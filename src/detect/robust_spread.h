// A standard deviation that rare events do not move.
#pragma once

#include <algorithm>
#include <vector>

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

}  // namespace reveal::detect
