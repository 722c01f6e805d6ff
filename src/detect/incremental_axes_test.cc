#include "detect/incremental_axes.h"

#include <gtest/gtest.h>

#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

using Eigen::MatrixXd;

// Scatter matrix that axes describe: V diag(variance) V^T.
MatrixXd covariance(const PrincipalAxes& axes) {
  return axes.axes * axes.variances.asDiagonal() * axes.axes.transpose();
}

TEST(IncrementalAxes, NothingDroppedMeansNothingLost) {
  const MatrixXd x = SyntheticRun(31).quiet(90, 12);
  LearnedAxes axes = learn_axes(x.topRows(40), 1 - 1e-12);
  add_rows(axes, x.middleRows(40, 1), 1 - 1e-12);
  add_rows(axes, x.middleRows(41, 29), 1 - 1e-12);
  add_rows(axes, x.bottomRows(20), 1 - 1e-12);
  const LearnedAxes all = learn_axes(x, 1 - 1e-12);
  EXPECT_EQ(axes.rows, 90);
  EXPECT_NEAR(axes.squares, all.squares, 1e-9 * all.squares);
  EXPECT_LT((axes.principal.center - all.principal.center).norm(), 1e-12);
  EXPECT_LT((covariance(axes.principal) - covariance(all.principal)).norm(), 1e-10);
}

TEST(IncrementalAxes, StayOrthonormal) {
  const MatrixXd x = SyntheticRun(32).quiet(400, 200);
  LearnedAxes axes = learn_axes(x.topRows(100), 0.95);
  for (Eigen::Index row = 100; row < 400; row += 10) add_rows(axes, x.middleRows(row, 10), 0.95);
  const MatrixXd product = axes.principal.axes.transpose() * axes.principal.axes;
  EXPECT_LT((product - MatrixXd::Identity(product.rows(), product.cols())).norm(), 1e-9);
  EXPECT_EQ(axes.rows, 400);
}

TEST(IncrementalAxes, HoldTheAskedShareOfTheVariance) {
  const MatrixXd x = SyntheticRun(33).quiet(300, 80);
  LearnedAxes axes = learn_axes(x.topRows(150), 0.95);
  add_rows(axes, x.bottomRows(150), 0.95);
  const double held = axes.principal.variances.sum() * 299 / axes.squares;
  EXPECT_GT(held, 0.95);
  const double without = held - axes.principal.variances.tail(1)(0) * 299 / axes.squares;
  EXPECT_LE(without, 0.95);
}

TEST(IncrementalAxes, RowsLikeTheCenterAddNoVariance) {
  const MatrixXd x = SyntheticRun(34).quiet(50, 6);
  LearnedAxes axes = learn_axes(x, 0.95);
  const double squares = axes.squares;
  add_rows(axes, axes.principal.center.transpose().replicate(3, 1), 0.95);
  EXPECT_NEAR(axes.squares, squares, 1e-9 * squares);
}

}  // namespace
}  // namespace reveal::detect
