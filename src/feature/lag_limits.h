// How many lagged steps the augmented Dickey-Fuller test considers (dickey_fuller-inl.h).
#pragma once

#include <cstddef>

namespace reveal::feature {

// Enough for a million samples.
inline constexpr std::size_t kMaxLags = 120;

struct LagLimits {
  std::size_t most = 0;  // ceil(12 (n / 100)^(1/4)), at most n / 2 - 2
  double penalty = 1.0;  // e^(2 / rows): by how much one more parameter raises e^(AIC / rows)
};

// Returns them for n samples, computed once for each thread and n. REQUIRES: n >= 4.
const LagLimits& lag_limits(std::size_t n);

}  // namespace reveal::feature
