// The matrix profile (Yeh et al., ICDM 2016): for each stretch of 8 samples, how far the nearest
// other stretch is from it, both in standard deviations from their means. It tells motifs, which
// are near to another, from discords, which are near to none.
#pragma once

#include <cstddef>
#include <span>

namespace reveal::feature {

inline constexpr std::size_t kProfileWindow = 8;
// Stretches that begin up to a quarter of their length apart are no neighbors.
inline constexpr std::size_t kProfileExclusion = kProfileWindow / 4;
// From here on each stretch has a neighbor.
inline constexpr std::size_t kProfileFewestSamples = kProfileWindow + 2 * kProfileExclusion + 2;

// Places: minimum, maximum, mean, median and quartiles of the distances, 0 to the root of 32, the
// farthest that two can be apart. Two stretches that are both constant are 0 apart; if only one is,
// the root of 8.
inline constexpr std::size_t kMatrixProfileFeatures = 6;

void compute_matrix_profile(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
