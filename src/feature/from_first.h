// Samples of one channel, told from their first: that is exact between near numbers, so that a
// large offset costs no digits.
#pragma once

#include <span>
#include <vector>

namespace reveal::feature {

// Returns each sample less the first.
std::vector<double> from_first(std::span<const double> samples);

// Returns each sample less the first, over the largest magnitude of these; zeros of a constant.
// `unit` becomes that magnitude.
std::vector<double> scaled_from_first(std::span<const double> samples, double& unit);

double mean_of(std::span<const double> values);
// Returns the mean squared deviation from `mean`, divisor n.
double variance_about(std::span<const double> values, double mean);

}  // namespace reveal::feature
