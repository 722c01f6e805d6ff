// Leading eigenvectors of a symmetric matrix by way of a tridiagonal one: the steps, each of which
// is the textbook's (Golub and Van Loan, Matrix Computations, 8.3 to 8.4). Written for the
// processor's widest vectors; the same to the last bit each time.
#pragma once

#include <Eigen/Core>

namespace reveal::stats {

// A = Q T Q^T with the orthogonal Q = H_0 H_1 ... of reflections H_k = I - tau_k v_k v_k^T.
struct Tridiagonal {
  Eigen::VectorXd diagonal;  // of T
  Eigen::VectorXd below;     // of T, one less
  Eigen::VectorXd tau;       // one less than `below`
  Eigen::MatrixXd
      reflectors;  // v_k below row k of column k, its first entry 1; what is above: noise
};

// REQUIRES: at least one row; square; finite. Only the lower triangle is read.
Tridiagonal tridiagonalize(const Eigen::MatrixXd& symmetric);

// Returns the eigenvalues of T with the ranks [first, first + count), 0 the largest, to within
// 4 units of rounding of T's norm. REQUIRES: first + count <= rows of T.
Eigen::VectorXd eigenvalues(const Tridiagonal& t, Eigen::Index first, Eigen::Index count);

// Returns unit vectors near eigenvectors of T, one a column, of eigenvalues as eigenvalues() gives
// them; of equal values independent ones. They still have to be made orthogonal.
Eigen::MatrixXd eigenvectors(const Tridiagonal& t, const Eigen::VectorXd& values);

// Replaces `vectors` by Q * vectors.
void apply_reflections(const Tridiagonal& t, Eigen::MatrixXd& vectors);

}  // namespace reveal::stats
