#include "stats/krylov_eigen.h"

#include <cmath>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "stats/leading_eigen.h"
#include "stats/testing/each_instruction_set.h"

namespace reveal::stats {
namespace {

constexpr Eigen::Index kSize = 240;

Eigen::MatrixXd with_values(const Eigen::VectorXd& values) {
  base::Rng rng(1);
  Eigen::MatrixXd random(values.size(), values.size());
  for (Eigen::Index i = 0; i < random.size(); ++i) random(i) = rng.uniform() - 0.5;
  const Eigen::MatrixXd q = random.householderQr().householderQ();
  return q * values.asDiagonal() * q.transpose();
}

// Each value a tenth less than the one before: 95 % are in the first 29.
Eigen::VectorXd falling() {
  return Eigen::VectorXd::NullaryExpr(
      kSize, [](Eigen::Index i) { return std::pow(0.9, static_cast<double>(i)); });
}

TEST(KrylovEigen, FindsAsManyAsThereAreAndIsAsNearAsItSays) {
  const Eigen::VectorXd values = falling();
  const Eigen::MatrixXd a = with_values(values);
  for (const auto precision : {Precision::kDouble, Precision::kSingle}) {
    for_each_instruction_set([&] {
      const auto out = leading_eigen_by_krylov(a, 0.95, {10, 1e-3, precision});
      ASSERT_TRUE(out);
      const Eigen::Index count = out->values.size();
      ASSERT_EQ(count, leading_count(values, 0.95, values.sum()));
      const double last = out->values(count - 1);
      EXPECT_TRUE((out->vectors.transpose() * out->vectors).isIdentity(1e-10));
      const Eigen::MatrixXd residuals = a * out->vectors - out->vectors * out->values.asDiagonal();
      EXPECT_LE(residuals.colwise().norm().maxCoeff(), 1.1e-3 * last);
      EXPECT_LE((out->values - values.head(count)).cwiseAbs().maxCoeff(), 1e-4 * last);
    });
  }
}

TEST(KrylovEigen, StopsEarlierWhereLessIsAskedFor) {
  const Eigen::MatrixXd a = with_values(falling());
  const auto rough = leading_eigen_by_krylov(a, 0.8, {10, 0.3, Precision::kDouble});
  const auto fine = leading_eigen_by_krylov(a, 0.8, {10, 1e-6, Precision::kDouble});
  ASSERT_TRUE(rough && fine);
  ASSERT_EQ(rough->values.size(), fine->values.size());
  const auto count = rough->values.size();
  const Eigen::VectorXd exact = falling().head(count);
  EXPECT_LE((fine->values - exact).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_GT((rough->values - exact).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE((rough->values - exact).maxCoeff(), 1e-12);  // never too large
}

TEST(KrylovEigen, LeavesFlatValuesToOthers) {
  EXPECT_FALSE(leading_eigen_by_krylov(with_values(Eigen::VectorXd::LinSpaced(kSize, 2.0, 1.0)),
                                       0.95, {10, 1e-2, Precision::kDouble}));
}

TEST(KrylovEigen, LeavesZerosToOthers) {
  EXPECT_FALSE(leading_eigen_by_krylov(Eigen::MatrixXd::Zero(kSize, kSize), 0.95,
                                       {10, 1e-2, Precision::kDouble}));
}

TEST(KrylovEigen, IsTheSameEachTime) {
  const Eigen::MatrixXd a = with_values(falling());
  const KrylovOptions options{10, 1e-2, Precision::kSingle};
  EXPECT_EQ(leading_eigen_by_krylov(a, 0.9, options)->vectors,
            leading_eigen_by_krylov(a, 0.9, options)->vectors);
}

}  // namespace
}  // namespace reveal::stats
