#include <cmath>

#include <gtest/gtest.h>

#include "detect/detector.h"
#include "detect/principal_axes.h"
#include "detect/synthetic_run.h"

namespace reveal::detect {
namespace {

std::unique_ptr<Detector> fitted(const Design& design) {
  auto detector = registry()[find_detector("mahalanobis").value()].make({});
  EXPECT_TRUE(detector->fit(design));
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

TEST(PrincipalAxes, KeepOneComponentOfOneDirection) {
  const Eigen::VectorXd along = Eigen::VectorXd::LinSpaced(30, -1.0, 1.0);
  const PrincipalAxes out = principal_axes(along * Eigen::RowVector3d(3.0, 0.0, 4.0), 0.95);
  ASSERT_EQ(out.variances.size(), 1);
  EXPECT_NEAR(std::abs(out.axes(2, 0)), 0.8, 1e-12);
}

TEST(Mahalanobis, OfOneColumnIsTheStandardScore) {
  const Design design = to_design(SyntheticRun(6).quiet(50, 1));
  // x has population deviation 1, the distance divides by the sample's: n - 1.
  const Eigen::VectorXd expected = design.x.col(0).cwiseAbs() * std::sqrt(49.0 / 50.0);
  EXPECT_TRUE(fitted(design)->score(design).isApprox(expected, 1e-9));
}

TEST(Mahalanobis, SquaresOfAllWindowsSumToComponentsTimesWindowsLessOne) {
  const Design design = to_design(SyntheticRun(7).quiet(60, 200));
  const auto kept = principal_axes(design.x, 0.95).variances.size();
  EXPECT_NEAR(fitted(design)->score(design).squaredNorm(), static_cast<double>(kept * 59), 1e-6);
}

TEST(Mahalanobis, NoWindowExceedsItsBound) {
  Eigen::MatrixXd x = SyntheticRun(8).quiet(60, 200);
  x.row(30).array() += 1e6;
  const Design design = to_design(x);
  const double bound = 59.0 / std::sqrt(60.0);  // (n - 1) / sqrt(n): leverage is at most 1
  EXPECT_LE(fitted(design)->score(design).maxCoeff(), bound * (1.0 + 1e-9));
}

TEST(Mahalanobis, DoesNotDependOnTheOrderOfWindows) {
  const Eigen::MatrixXd x = SyntheticRun(10).quiet(60, 90);
  const Design forward = to_design(x);
  const Design backward = to_design(x.colwise().reverse());
  const Eigen::VectorXd there = fitted(forward)->score(forward).reverse();
  EXPECT_TRUE(there.isApprox(fitted(backward)->score(backward), 1e-8));
}

}  // namespace
}  // namespace reveal::detect
