// The steps between neighbors that both lie in a corridor, from one quantile of the samples to
// another, both included.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace reveal::feature {

// Quantiles 0, 0.2, ... 1.
inline constexpr std::size_t kCorridorEdges = 6;
inline constexpr std::size_t kCorridors = kCorridorEdges * (kCorridorEdges - 1) / 2;

// What is told of a corridor: mean and variance of the steps, and of the absolute steps. 0 if there
// is no such step, and if both quantiles are equal.
inline constexpr std::size_t kCorridorFeatures = 4;

// Places: by corridor, from the lowest edge on: 0 to 0.2, 0 to 0.4, ... 0.8 to 1.
inline constexpr std::size_t kChangeQuantileFeatures = kCorridors * kCorridorFeatures;

void compute_change_quantiles(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
