// The leading eigenpairs of a very large symmetric matrix whose eigenvalues fall off, by block
// Lanczos with full orthogonalization (Golub and Van Loan, Matrix Computations, 10.3): from random
// vectors a basis grows, each block the matrix times the last, until the matrix seen in the basis
// has what is looked for. The pairs are approximate, and their error is known.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "stats/product.h"
#include "stats/symmetric_eigen.h"

namespace reveal::stats {

struct KrylovOptions {
  Eigen::Index block = 128;  // vectors that the basis grows by
  // How far A u may be from value * u at most, as a share of the smallest value returned.
  double residual = 1e-2;
  Precision precision = Precision::kDouble;  // of products with the matrix
};

// Returns the fewest leading eigenpairs whose values sum to more than `share` of the trace, as
// leading_eigen() does. Vectors are orthonormal to 1e-10. Values are too small, never too large,
// by about residual^2 / gap, the gap being that to the values left out. So there may be more pairs
// than of the exact ones, if the sum of those barely passes the share; at a residual of 0.1 one or
// two of 600 were seen to be too many, at 0.03 none. Fails if the basis comes to 3/5 of the rows
// before that: then the whole is no dearer. REQUIRES: as leading_eigen(); a block of at least
// 1.
std::optional<SymmetricEigen> leading_eigen_by_krylov(const Eigen::MatrixXd& symmetric,
                                                      double share,
                                                      const KrylovOptions& options = {});

}  // namespace reveal::stats
