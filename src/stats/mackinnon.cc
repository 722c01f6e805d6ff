#include "stats/mackinnon.h"

#include <cmath>
#include <numbers>

namespace reveal::stats {
namespace {

// Beyond these p is 1 and 0; at kBetween one surface gives way to the other.
constexpr double kLargest = 2.74;
constexpr double kSmallest = -18.83;
constexpr double kBetween = -1.61;

double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

double mackinnon_p(double statistic) {
  if (std::isnan(statistic)) return statistic;
  if (statistic > kLargest) return 1.0;
  if (statistic < kSmallest) return 0.0;
  const double t = statistic;
  if (t <= kBetween) return normal_below(2.1659 + t * (1.4412 + t * 0.038269));
  return normal_below(1.7339 + t * (0.93202 + t * (-0.12745 + t * -0.010368)));
}

}  // namespace reveal::stats
