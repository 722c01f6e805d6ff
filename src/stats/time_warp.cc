#include "stats/time_warp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace reveal::stats {

double time_warp_distance(std::span<const double> x, std::span<const double> y, std::size_t band) {
  constexpr double kUnreached = std::numeric_limits<double>::infinity();
  const std::size_t n = x.size();
  if (n == 0) return 0;
  // By j + 1, the least sum up to (i, j); of the row before, and of this one.
  std::vector<double> before(n + 1, kUnreached);
  std::vector<double> here(n + 1, kUnreached);
  before[0] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = i > band ? i - band : 0;
    const std::size_t end = std::min(n, i + band + 1);
    here[first] = kUnreached;
    for (std::size_t j = first; j < end; ++j) {
      here[j + 1] = std::abs(x[i] - y[j]) + std::min({before[j], before[j + 1], here[j]});
    }
    if (end < n) here[end + 1] = kUnreached;
    std::swap(before, here);
  }
  return before[n];
}

}  // namespace reveal::stats
