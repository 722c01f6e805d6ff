// Dynamic time warping (H. Sakoe and S. Chiba, "Dynamic programming algorithm optimization for
// spoken word recognition", IEEE Transactions on Acoustics, Speech, and Signal Processing 26,
// 1978): how far two series are apart if each may be stretched in time to fit the other.
#pragma once

#include <cstddef>
#include <span>

namespace reveal::stats {

// Returns the least sum of |x[i] - y[j]| over all paths from the first pair to the last that step
// on in x, in y, or in both, and on which i and j are never more than `band` apart. Costs length
// times band. REQUIRES: both of one length; finite values.
double time_warp_distance(std::span<const double> x, std::span<const double> y, std::size_t band);

}  // namespace reveal::stats
