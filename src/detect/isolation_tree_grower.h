// Grows one isolation tree on a random subsample of the windows.
#pragma once

#include <Eigen/Core>

#include "base/rng.h"
#include "detect/isolation_forest.h"

namespace reveal::detect {

// Returns a tree grown on `subsample` rows drawn without replacement. At each node the column is
// drawn uniformly among those that still vary there, the threshold uniformly between the column's
// extremes there. REQUIRES: 2 <= subsample <= x.rows(); at least one column; finite values.
IsolationTree grow_isolation_tree(const Eigen::MatrixXd& x, Eigen::Index subsample, base::Rng rng);

}  // namespace reveal::detect
