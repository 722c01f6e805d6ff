// Pearson's correlation of every pair of channels, over the samples that both have.
//
// Missing samples (NaN or infinite) leave a pair, not the whole tick: a channel that is read every
// second is compared with one that is read every 100 ms at the ticks where both were read. Series
// are standardised first, so that the sums keep their digits whatever the channels' offsets and
// scales. stats/correlation.h gives the same for one pair; this takes thousands of channels at the
// speed of matrix products. The same series give the same bits: the order of summation is fixed.
#pragma once

#include <cstddef>
#include <span>

#include <Eigen/Core>

#include "stats/moments.h"

namespace reveal::select {

// Fewer common samples than this say nothing about a pair: its r is 0.
inline constexpr std::size_t kMinPairs = 8;

// Returns the moments of the finite samples.
stats::Moments finite_moments(std::span<const double> series);

// Returns whether no two samples differ by anything that a deviation can be computed from.
bool is_constant(const stats::Moments& moments);

// Returns the symmetric matrix of r in [-1, 1]: 1 on the diagonal, 0 for pairs with a constant
// channel. REQUIRES: all series have the same length.
Eigen::MatrixXd correlation_matrix(std::span<const std::span<const double>> series);

}  // namespace reveal::select
