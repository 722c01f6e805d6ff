// Orthonormal vectors from others.
#pragma once

#include <Eigen/Core>

namespace reveal::stats {

// Makes the columns of `vectors` orthonormal to 1e-12, each from itself and those before it. Fails
// if they depend on one another but for rounding; then they are of no use.
bool orthonormalize(Eigen::MatrixXd& vectors);

}  // namespace reveal::stats
