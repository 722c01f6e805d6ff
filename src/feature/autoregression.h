// The autoregression of order 10, by least squares:
//
//   x[t] = a + sum over i of b[i] x[t - i] + error, for all t that have ten samples before them
#pragma once

#include <cstddef>
#include <span>

namespace reveal::feature {

inline constexpr std::size_t kAutoregressionOrder = 10;

// Places: a, b[1], ... b[10]. Undefined below 21 samples, and if the lags are linearly dependent,
// as those of a constant and of a pure wave are.
inline constexpr std::size_t kAutoregressionFeatures = kAutoregressionOrder + 1;

void compute_autoregression(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
