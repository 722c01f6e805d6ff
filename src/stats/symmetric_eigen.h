// The eigendecomposition of a symmetric matrix, made reproducible. An eigenvector is only defined
// up to its sign, and a solver may pick either; here the component of the largest magnitude (the
// first such one) is positive, and values descend, so that saved plans and reports do not flip
// between builds. Where eigenvalues coincide the vectors are one orthonormal basis of many.
#pragma once

#include <Eigen/Core>

namespace reveal::stats {

struct SymmetricEigen {
  Eigen::VectorXd values;   // descending
  Eigen::MatrixXd vectors;  // column k, of length 1, belongs to values(k)
};

// Returns the decomposition: vectors * diag(values) * vectors^T equals `symmetric`.
// Only the lower triangle is read. An empty matrix gives an empty result.
// REQUIRES: square; every entry finite.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& symmetric);

// Turns columns around whose component of the largest magnitude is negative.
void orient(Eigen::MatrixXd& vectors);

}  // namespace reveal::stats
