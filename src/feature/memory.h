// How much samples say about those many ticks later: autocorrelations beyond the five that
// autocorrelation-inl.h has, and what all of them come to.
//
//   r(k) = sum of d[t] d[t + k] over t, over (n - k) times the variance; d deviations from the mean
#pragma once

#include <cstddef>
#include <span>

namespace reveal::feature {

inline constexpr std::size_t kMemoryFirstLag = 6;
inline constexpr std::size_t kMemoryLastLag = 9;
inline constexpr std::size_t kMemoryMaxLag = 40;

// Places: mean, median and variance of r(1), ... r(40) as far as there are samples, 0 for a
// variance below 1e-10, as tsfresh has it; from 3 on r(6), ... r(9), undefined for a variance up to
// 1e-8; from 7 on the partial autocorrelations of these lags by Levinson and Durbin's recursion.
inline constexpr std::size_t kMemoryFeatures = 11;

void compute_memory(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
