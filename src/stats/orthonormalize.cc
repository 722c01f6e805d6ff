#include "stats/orthonormalize.h"

#include <Eigen/Cholesky>

#include "stats/product.h"

namespace reveal::stats {

// By the Cholesky factor of their products, until they are: once is enough for nearly orthonormal
// ones, twice for most, and after three times they are not to be had.
bool orthonormalize(Eigen::MatrixXd& vectors) {
  constexpr double kOrthonormal = 1e-12;
  constexpr int kRounds = 3;
  for (int round = 0;; ++round) {
    const Eigen::MatrixXd dots = gram({vectors, true});
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(dots.rows(), dots.cols());
    if (((dots - identity).cwiseAbs().array() <= kOrthonormal).all()) return true;
    const Eigen::LLT<Eigen::MatrixXd> factor(dots);
    if (round == kRounds || factor.info() != Eigen::Success) return false;
    const Eigen::MatrixXd inverse = factor.matrixU().solve(identity);
    vectors = product({vectors}, {inverse});
  }
}

}  // namespace reveal::stats
