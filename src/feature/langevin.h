// What the next step is by where the samples stand: a cubic polynomial through the mean step of
// each thirtieth of the samples (Friedrich et al., Physics Letters A 271 (2000) 217), and where it
// would keep them still.
#pragma once

#include <cstddef>
#include <span>

namespace reveal::feature {

inline constexpr std::size_t kLangevinOrder = 3;
inline constexpr std::size_t kLangevinGroups = 30;

// Places: the coefficients of x^3, x^2, x and 1, and the largest real part of its roots. Undefined
// if two thirtieths meet at one value, if fewer than four of them have samples, or if the
// polynomial is not determined.
inline constexpr std::size_t kLangevinFeatures = kLangevinOrder + 2;

void compute_langevin(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
