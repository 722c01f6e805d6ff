// Pearson's correlation coefficient of two channels that were sampled on the same ticks.
#pragma once

#include <span>

namespace reveal::stats {

// Returns r in [-1, 1] over the pairs in which both samples are finite; NaN if fewer than two such
// pairs remain or if either side is constant over them, for there r is undefined. REQUIRES: x and y
// are of one length.
double correlation(std::span<const double> x, std::span<const double> y);

}  // namespace reveal::stats
