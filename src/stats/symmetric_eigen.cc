#include "stats/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace reveal::stats {
void orient(Eigen::MatrixXd& vectors) {
  for (Eigen::Index column = 0; column < vectors.cols(); ++column) {
    Eigen::Index largest = 0;
    vectors.col(column).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, column) < 0.0) vectors.col(column) *= -1.0;
  }
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& symmetric) {
  if (symmetric.size() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  SymmetricEigen result{solver.eigenvalues().reverse(), solver.eigenvectors().rowwise().reverse()};
  orient(result.vectors);
  return result;
}

}  // namespace reveal::stats
