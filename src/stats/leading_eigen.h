// The leading eigenpairs of a large symmetric matrix without the others, as many as it takes to
// hold a share of the whole: what principal components need.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "stats/symmetric_eigen.h"

namespace reveal::stats {

// Returns the fewest leading eigenpairs whose values sum to more than `share` of the trace, as
// symmetric_eigen() orders and orients them; values of at most 1e-12 of the first are rounding and
// never among them. To the accuracy of symmetric_eigen(): what the fast way does not hold to, and
// what is too small to gain, that one does.
// REQUIRES: square; every entry finite; positive semidefinite but for rounding; 0 < share < 1.
SymmetricEigen leading_eigen(const Eigen::MatrixXd& symmetric, double share);

// The fast way alone: by way of a tridiagonal matrix. Fails if the vectors are not orthonormal to
// 1e-12, or are not the values' to 1e-11 of the first.
std::optional<SymmetricEigen> leading_eigen_by_tridiagonal(const Eigen::MatrixXd& symmetric,
                                                           double share);

// Returns how many leading of the descending `values` sum to more than `share` of `total`; values
// of at most 1e-12 of the first do not count.
Eigen::Index leading_count(const Eigen::VectorXd& values, double share, double total);

}  // namespace reveal::stats
