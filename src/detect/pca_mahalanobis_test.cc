#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "detect/detector.h"
#include "detect/principal_axes.h"
#include "detect/testing/synthetic_run.h"
#include "stats/leading_eigen.h"

namespace reveal::detect {
namespace {

std::unique_ptr<Detector> fitted(const Design& design) {
  auto detector = registry()[find_detector("pca_mahalanobis").value()].make({});
  EXPECT_TRUE(detector->fit(design.x));
  return detector;
}

// The same subspace and variances, whatever the signs.
void expect_same(const PrincipalAxes& a, const PrincipalAxes& b) {
  ASSERT_EQ(a.variances.size(), b.variances.size());
  EXPECT_TRUE(a.variances.isApprox(b.variances, 1e-9));
  EXPECT_TRUE((a.axes * a.axes.transpose()).isApprox(b.axes * b.axes.transpose(), 1e-7));
}

TEST(PrincipalAxes, BothRoutesAgreeOnWideTallAndSquare) {
  for (const auto& [rows, columns] : {std::pair{30, 90}, {90, 30}, {40, 40}}) {
    const Eigen::MatrixXd x = SyntheticRun(4).quiet(rows, columns);
    expect_same(principal_axes_by_gram(x, 0.95), principal_axes_by_covariance(x, 0.95));
  }
}

TEST(PrincipalAxes, AreOrthonormalAndHoldTheVariance) {
  const Eigen::MatrixXd x = SyntheticRun(5).quiet(60, 200);
  const PrincipalAxes out = principal_axes(x, 0.95);
  const auto kept = out.variances.size();
  EXPECT_TRUE((out.axes.transpose() * out.axes).isIdentity(1e-9));
  const double total = (x.rowwise() - x.colwise().mean()).squaredNorm() / 59.0;
  EXPECT_GT(out.variances.sum(), 0.95 * total);
  EXPECT_LE(out.variances.head(kept - 1).sum(), 0.95 * total);
}

TEST(PrincipalAxes, InSinglePrecisionAreNearlyThose) {
  const Eigen::MatrixXd x = SyntheticRun(20).quiet(70, 300);
  const auto exact = principal_axes_by_gram(x, 0.95);
  for (const auto& rough : {principal_axes_by_gram(x, 0.95, stats::Precision::kSingle),
                            principal_axes_by_covariance(x, 0.95, stats::Precision::kSingle)}) {
    ASSERT_EQ(rough.variances.size(), exact.variances.size());
    EXPECT_TRUE(rough.variances.isApprox(exact.variances, 1e-6));
    const Eigen::MatrixXd shared = exact.axes.transpose() * rough.axes;
    EXPECT_TRUE((shared * shared.transpose()).isIdentity(1e-5));
  }
}

TEST(PrincipalAxes, AreMultipliedInSinglePrecisionWhereLarge) {
  EXPECT_EQ(axes_precision(256, 16384), stats::Precision::kDouble);
  EXPECT_EQ(axes_precision(16384, 256), stats::Precision::kDouble);
  EXPECT_EQ(axes_precision(257, 16384), stats::Precision::kSingle);
}

// More rows than are decomposed whole. Rows follow 40 causes, each weaker than the one before.
TEST(PrincipalAxes, OfVeryManyRowsAreNearTheExactOnes) {
  const Eigen::Index rows = kMaxExact + 20;
  Eigen::MatrixXd causes = SyntheticRun(21).noise(rows, 40);
  for (Eigen::Index k = 0; k < 40; ++k) causes.col(k) *= std::pow(0.9, static_cast<double>(k));
  const Eigen::MatrixXd x = causes * SyntheticRun(22).noise(40, rows);
  const auto out = principal_axes_by_gram(x, 0.95);
  // The same variances, from 40 x 40: of causes * weights * weights^T * causes^T.
  const Eigen::MatrixXd centered = causes.rowwise() - causes.colwise().mean();
  const Eigen::MatrixXd weights = SyntheticRun(22).noise(40, rows);
  const Eigen::MatrixXd root =
      Eigen::MatrixXd((centered.transpose() * centered).llt().matrixL()).transpose() * weights;
  const Eigen::VectorXd expected =
      stats::symmetric_eigen(root * root.transpose()).values / static_cast<double>(rows - 1);
  const auto count = out.variances.size();
  EXPECT_EQ(count, stats::leading_count(expected, 0.95, expected.sum()));
  EXPECT_TRUE(out.variances.isApprox(expected.head(count), 1e-4));
  EXPECT_TRUE((out.axes.transpose() * out.axes).isIdentity(1e-2));
}

TEST(PrincipalAxes, KeepOneComponentOfOneDirection) {
  const Eigen::VectorXd along = Eigen::VectorXd::LinSpaced(30, -1.0, 1.0);
  const PrincipalAxes out = principal_axes(along * Eigen::RowVector3d(3.0, 0.0, 4.0), 0.95);
  ASSERT_EQ(out.variances.size(), 1);
  EXPECT_NEAR(std::abs(out.axes(2, 0)), 0.8, 1e-12);
}

TEST(PcaMahalanobis, OfOneColumnIsTheStandardScore) {
  const Design design = to_design(SyntheticRun(6).quiet(50, 1));
  // x has population deviation 1, the distance divides by the sample's: n - 1.
  const Eigen::VectorXd expected = design.x.col(0).cwiseAbs() * std::sqrt(49.0 / 50.0);
  EXPECT_TRUE(fitted(design)->score(design.x).isApprox(expected, 1e-9));
}

TEST(PcaMahalanobis, SquaresOfAllWindowsSumToComponentsTimesWindowsLessOne) {
  const Design design = to_design(SyntheticRun(7).quiet(60, 200));
  const auto kept = principal_axes(design.x, 0.95).variances.size();
  EXPECT_NEAR(fitted(design)->score(design.x).squaredNorm(), static_cast<double>(kept * 59), 1e-6);
}

TEST(PcaMahalanobis, NoWindowExceedsItsBound) {
  Eigen::MatrixXd x = SyntheticRun(8).quiet(60, 200);
  x.row(30).array() += 1e6;
  const Design design = to_design(x);
  const double bound = 59.0 / std::sqrt(60.0);  // (n - 1) / sqrt(n): leverage is at most 1
  EXPECT_LE(fitted(design)->score(design.x).maxCoeff(), bound * (1.0 + 1e-9));
}

TEST(PcaMahalanobis, DoesNotDependOnTheOrderOfWindows) {
  const Eigen::MatrixXd x = SyntheticRun(10).quiet(60, 90);
  const Design forward = to_design(x);
  const Design backward = to_design(x.colwise().reverse());
  const Eigen::VectorXd there = fitted(forward)->score(forward.x).reverse();
  EXPECT_TRUE(there.isApprox(fitted(backward)->score(backward.x), 1e-8));
}

}  // namespace
}  // namespace reveal::detect
