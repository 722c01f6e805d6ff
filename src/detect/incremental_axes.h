// Principal components that learn more rows without a new decomposition of all of them: the
// algorithm of scikit-learn's IncrementalPCA (Ross, Lim, Lin, Yang: Incremental Learning for Robust
// Visual Tracking, IJCV 2008, section 3.1). What was dropped as the remaining 5 % of the variance
// is lost to later updates, which is why a refit is due now and then.
#pragma once

#include <Eigen/Core>

#include "detect/design.h"
#include "detect/principal_axes.h"

namespace reveal::detect {

// Axes, and what of the rows behind them must be known to add more.
struct LearnedAxes {
  PrincipalAxes principal;
  double rows = 0;     // that the axes were made of
  double squares = 0;  // of their deviations from the center, dropped components included
};

// Returns the axes of `x` alone. REQUIRES: as principal_axes().
LearnedAxes learn_axes(const Windows& x, double variance_ratio);

// Adds rows: the components that hold `variance_ratio` of the variance of all rows so far, as far
// as it was not dropped before. REQUIRES: at least one row, of as many columns; finite.
void add_rows(LearnedAxes& axes, const Windows& more, double variance_ratio);

}  // namespace reveal::detect
