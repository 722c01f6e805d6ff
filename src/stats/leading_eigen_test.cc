#include "stats/leading_eigen.h"

#include <cmath>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "stats/testing/each_instruction_set.h"

namespace reveal::stats {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  base::Rng rng(seed);
  Eigen::MatrixXd out(rows, columns);
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = rng.uniform() - 0.5;
  return out;
}

// A matrix with these eigenvalues in random directions.
Eigen::MatrixXd with_values(const Eigen::VectorXd& values, std::uint64_t seed) {
  const auto n = values.size();
  const Eigen::MatrixXd q = random_matrix(n, n, seed).householderQr().householderQ();
  return q * values.asDiagonal() * q.transpose();
}

// What the pairs are promised to be, and that the count is the least that holds the share.
void expect_leading(const SymmetricEigen& out, const Eigen::MatrixXd& symmetric, double share,
                    const Eigen::VectorXd& all_values) {
  const Eigen::Index count = out.values.size();
  ASSERT_EQ(count, leading_count(all_values, share, all_values.sum()));
  ASSERT_EQ(out.vectors.cols(), count);
  const double first = all_values(0);
  EXPECT_LE((out.values - all_values.head(count)).cwiseAbs().maxCoeff(), 1e-12 * first);
  EXPECT_TRUE((out.vectors.transpose() * out.vectors).isIdentity(1e-11));
  EXPECT_LE((symmetric * out.vectors - out.vectors * out.values.asDiagonal()).cwiseAbs().maxCoeff(),
            1e-11 * first);
}

void expect_fast(const Eigen::MatrixXd& symmetric, double share,
                 const Eigen::VectorXd& all_values) {
  for_each_instruction_set([&] {
    const auto out = leading_eigen_by_tridiagonal(symmetric, share);
    ASSERT_TRUE(out);
    expect_leading(*out, symmetric, share, all_values);
  });
}

TEST(LeadingEigen, AreThoseOfTheWholeDecomposition) {
  for (const Eigen::Index size : {1, 2, 3, 5, 8, 17, 47, 64, 65, 131, 203}) {
    SCOPED_TRACE(size);
    const Eigen::MatrixXd x = random_matrix(size, size + 5, static_cast<std::uint64_t>(size));
    const Eigen::MatrixXd a = x * x.transpose();
    expect_fast(a, 0.95, symmetric_eigen(a).values);
    expect_leading(leading_eigen(a, 0.5), a, 0.5, symmetric_eigen(a).values);
  }
}

TEST(LeadingEigen, OfNothingAndOfZerosAreNone) {
  EXPECT_EQ(leading_eigen(Eigen::MatrixXd(), 0.95).values.size(), 0);
  for (const Eigen::Index size : {3, 100}) {
    const auto out = leading_eigen(Eigen::MatrixXd::Zero(size, size), 0.95);
    EXPECT_EQ(out.values.size(), 0);
    EXPECT_EQ(out.vectors.cols(), 0);
  }
}

TEST(LeadingEigen, OfADiagonalMatrixAreItsAxes) {
  Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(90, 90.0, 1.0);
  expect_fast(values.asDiagonal(), 0.95, values);
}

TEST(LeadingEigen, OfTheIdentityAreAnyBasis) {
  expect_fast(Eigen::MatrixXd::Identity(80, 80), 0.951, Eigen::VectorXd::Ones(80));
}

TEST(LeadingEigen, SeparateEqualAndNearlyEqualValues) {
  Eigen::VectorXd values = Eigen::VectorXd::Constant(150, 1.0);
  values.head(10).setConstant(5.0);
  for (Eigen::Index i = 10; i < 40; ++i) values(i) = 3.0 - 1e-13 * static_cast<double>(i);
  for (Eigen::Index i = 40; i < 70; ++i) values(i) = 2.0 - 1e-9 * static_cast<double>(i);
  const Eigen::MatrixXd a = with_values(values, 3);
  expect_fast(a, 0.6, values);
}

TEST(LeadingEigen, StopAtTheRankOfTheMatrix) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(100);
  values.head(7) = Eigen::VectorXd::LinSpaced(7, 7.0, 1.0);
  const Eigen::MatrixXd a = with_values(values, 4);
  EXPECT_EQ(leading_eigen(a, 1.0 - 1e-15).values.size(), 7);
}

// Values over twelve orders, as after a burst that outweighs everything.
TEST(LeadingEigen, HoldOverManyOrdersOfMagnitude) {
  Eigen::VectorXd values(120);
  for (Eigen::Index i = 0; i < 120; ++i) values(i) = std::pow(10.0, -0.09 * static_cast<double>(i));
  expect_fast(with_values(values, 5), 1.0 - 1e-7, values);
  values(0) = 1e9;
  expect_fast(with_values(values, 5), 0.95, values);
}

TEST(LeadingEigen, DoNotDependOnTheUnit) {
  const Eigen::MatrixXd x = random_matrix(60, 90, 6);
  const Eigen::MatrixXd a = x * x.transpose();
  const auto out = leading_eigen(a, 0.9);
  for (const double unit : {0x1p-300, 0x1p300}) {
    const auto scaled = leading_eigen(unit * a, 0.9);
    EXPECT_EQ(scaled.values, unit * out.values);
    EXPECT_EQ(scaled.vectors, out.vectors);
  }
}

TEST(LeadingEigen, AreTheSameEachTime) {
  const Eigen::MatrixXd x = random_matrix(100, 90, 7);
  const Eigen::MatrixXd a = x * x.transpose();
  EXPECT_EQ(leading_eigen(a, 0.9).vectors, leading_eigen(a, 0.9).vectors);
}

}  // namespace
}  // namespace reveal::stats
