// Pearson's correlation of two series, one of them later than the other.
#pragma once

#include <cstddef>
#include <span>

namespace reveal::attribute {

struct LaggedCorrelation {
  double r = 0;  // 0 if either is constant
  int lag = 0;   // in samples; above 0: the second series is later
};

// Returns the correlation that is strongest in magnitude, of all lags up to `most_lag` either way;
// of equal ones that of the smallest lag. At each lag those samples count that both have. REQUIRES:
// finite, of one length, more than 2 most_lag.
LaggedCorrelation strongest_correlation(std::span<const double> first,
                                        std::span<const double> second, int most_lag);

}  // namespace reveal::attribute
