// Principal component analysis, as scikit-learn's PCA(n_components=0.95) does it: the fewest
// leading components whose variances sum to more than the asked share of the whole.
//
// There are two routes to the same answer. The covariance is columns x columns; the Gram matrix of
// the centred rows is rows x rows and has the same nonzero eigenvalues. A run has far fewer windows
// (hundreds) than columns (thousands), so the Gram route is the usual one, and a cube smaller.
#pragma once

#include <Eigen/Core>

namespace reveal::detect {

struct PrincipalAxes {
  Eigen::VectorXd centre;     // mean of the rows
  Eigen::VectorXd variances;  // of the kept components, descending, with divisor rows - 1
  Eigen::MatrixXd axes;       // columns x kept components, orthonormal
};

// Returns the axes by the cheaper route. REQUIRES: at least 2 rows; finite; 0 < variance_ratio < 1.
PrincipalAxes principal_axes(const Eigen::MatrixXd& x, double variance_ratio);

// Return the same by one given route.
PrincipalAxes principal_axes_by_covariance(const Eigen::MatrixXd& x, double variance_ratio);
PrincipalAxes principal_axes_by_gram(const Eigen::MatrixXd& x, double variance_ratio);

// Returns how many leading values, given in descending order, sum to more than `ratio` of `total`,
// as scikit-learn counts; values that are only rounding beside the first never count.
Eigen::Index kept_components(const Eigen::VectorXd& values, double total, double ratio);

}  // namespace reveal::detect
