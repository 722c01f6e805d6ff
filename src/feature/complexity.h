// How far the samples repeat themselves: entropies of templates, and Lempel and Ziv's complexity.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace reveal::feature {

// Tolerances of approximate entropy, in standard deviations.
inline constexpr std::array<double, 5> kApproximateTolerances{0.1, 0.3, 0.5, 0.7, 0.9};
inline constexpr std::array<std::size_t, 5> kLempelZivBins{2, 3, 5, 10, 100};

// Places: sample entropy of templates of 2 samples, tolerance 0.2 standard deviations (Richman and
// Moorman 2000; with tsfresh all n - 1 templates of 2, not n - 2); then approximate entropy of
// templates of 2 (Pincus 1991), 0 below four samples; then the number of phrases of an incremental
// parse (Lempel and Ziv 1978) of the samples in so many equally wide bins, over their number.
inline constexpr std::size_t kComplexityFeatures =
    1 + kApproximateTolerances.size() + kLempelZivBins.size();

void compute_complexity(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
