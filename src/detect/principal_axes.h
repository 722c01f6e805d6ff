// Principal component analysis, as scikit-learn's PCA(n_components=0.95) does it: the fewest
// leading components whose variances sum to more than the asked share of the whole.
//
// There are two routes to the same answer. The covariance is columns x columns; the Gram matrix of
// the centered rows is rows x rows and has the same nonzero eigenvalues. A run has far fewer
// windows (hundreds) than columns (thousands), so the Gram route is the usual one, and a cube
// smaller.
#pragma once

#include <Eigen/Core>

#include "detect/design.h"
#include "stats/product.h"

namespace reveal::detect {

struct PrincipalAxes {
  Eigen::VectorXd center;     // mean of the rows
  Eigen::VectorXd variances;  // of the kept components, descending, with divisor rows - 1
  Eigen::MatrixXd axes;       // columns x kept components, orthonormal
};

// The largest shorter * shorter * longer side of a matrix whose products are made in double
// precision. Larger ones are made in single precision.
inline constexpr double kMaxInDouble = 1 << 30;

// The shorter side up to which the components are exact but for rounding. Beyond it they are
// approximate: a component's image lies within kAxesResidual of the last kept variance (times the
// divisor) of its multiple. docs/scores.md says what that comes to.
inline constexpr Eigen::Index kMaxExact = 1500;
inline constexpr double kAxesResidual = 0.03;

// Returns how principal_axes() multiplies a matrix of this size.
stats::Precision axes_precision(Eigen::Index rows, Eigen::Index columns);

// Returns the axes by the cheaper route. REQUIRES: at least 2 rows; finite; 0 < variance_ratio < 1.
PrincipalAxes principal_axes(const Windows& x, double variance_ratio);

// Return the same by one given route.
PrincipalAxes principal_axes_by_covariance(const Windows& x, double variance_ratio,
                                           stats::Precision precision = stats::Precision::kDouble);
PrincipalAxes principal_axes_by_gram(const Windows& x, double variance_ratio,
                                     stats::Precision precision = stats::Precision::kDouble);

}  // namespace reveal::detect
