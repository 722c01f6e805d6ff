#include "stats/symmetric_eigen.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::stats {
namespace {

Eigen::MatrixXd random_symmetric(Eigen::Index size, std::uint64_t seed) {
  base::Rng rng(seed);
  Eigen::MatrixXd a(size, size);
  for (Eigen::Index i = 0; i < a.size(); ++i) a(i) = rng.uniform() - 0.5;
  return a * a.transpose();
}

TEST(SymmetricEigen, OfNothingIsNothing) {
  const auto eigen = symmetric_eigen(Eigen::MatrixXd());
  EXPECT_EQ(eigen.values.size(), 0);
  EXPECT_EQ(eigen.vectors.size(), 0);
}

// [[2 1] [1 2]] has the eigenvalues 3 and 1 with (1 1) and (1 -1), both over the root of 2.
TEST(SymmetricEigen, SolvesTwoByTwo) {
  Eigen::MatrixXd a(2, 2);
  a << 2, 1, 1, 2;
  const auto eigen = symmetric_eigen(a);
  EXPECT_NEAR(eigen.values(0), 3.0, 1e-14);
  EXPECT_NEAR(eigen.values(1), 1.0, 1e-14);
  EXPECT_NEAR(eigen.vectors(0, 0), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(eigen.vectors(1, 0), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(std::abs(eigen.vectors(0, 1)), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(eigen.vectors(0, 1) + eigen.vectors(1, 1), 0.0, 1e-14);
}

TEST(SymmetricEigen, RebuildsTheMatrixFromOrthonormalVectors) {
  for (Eigen::Index size : {1, 2, 3, 10, 60}) {
    const Eigen::MatrixXd a = random_symmetric(size, static_cast<std::uint64_t>(size));
    const auto [values, vectors] = symmetric_eigen(a);
    EXPECT_TRUE((vectors * values.asDiagonal() * vectors.transpose()).isApprox(a, 1e-12));
    EXPECT_TRUE((vectors.transpose() * vectors).isIdentity(1e-12));
    for (Eigen::Index k = 1; k < size; ++k) EXPECT_GE(values(k - 1), values(k));
  }
}

TEST(SymmetricEigen, MakesTheLargestComponentOfEachVectorPositive) {
  const auto eigen = symmetric_eigen(random_symmetric(20, 4));
  for (Eigen::Index k = 0; k < 20; ++k)
    EXPECT_EQ(eigen.vectors.col(k).maxCoeff(), eigen.vectors.col(k).cwiseAbs().maxCoeff()) << k;
}

TEST(SymmetricEigen, ReadsOnlyTheLowerTriangle) {
  Eigen::MatrixXd a = random_symmetric(5, 9);
  const auto whole = symmetric_eigen(a);
  a.triangularView<Eigen::StrictlyUpper>().setZero();
  const auto lower = symmetric_eigen(a);
  EXPECT_EQ(whole.values, lower.values);
  EXPECT_EQ(whole.vectors, lower.vectors);
}

}  // namespace
}  // namespace reveal::stats
