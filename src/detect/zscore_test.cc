#include <cmath>

#include <gtest/gtest.h>

#include "detect/detector.h"
#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

// Fitted on windows of those columns, whatever they are: the design has what there is to know.
std::unique_ptr<Detector> zscore(Eigen::Index columns) {
  auto out = registry()[find_detector("zscore").value()].make({});
  EXPECT_TRUE(out->fit(to_design(SyntheticRun(2).quiet(50, columns)).x));
  return out;
}

TEST(Zscore, IsTheMeanAbsoluteStandardScore) {
  Design design;
  design.x.resize(2, 3);
  design.x << 1.0, -2.0, 3.0, 0.0, 0.0, -6.0;
  const auto scores = zscore(3)->score(design.x);
  EXPECT_DOUBLE_EQ(scores(0), 2.0);
  EXPECT_DOUBLE_EQ(scores(1), 2.0);
}

// By hand: half -1, half 1, then half 3, half 5: mean 2, variance 4 + 1.
TEST(Zscore, LearnsMeanAndDeviationOfAllWindows) {
  Design first;
  first.x = Eigen::VectorXd::LinSpaced(20, -1, 1).cwiseSign();
  Design second;
  second.x = Eigen::VectorXd::Constant(20, 4) + first.x;
  auto detector = registry()[find_detector("zscore").value()].make({});
  ASSERT_TRUE(detector->fit(first.x));
  ASSERT_TRUE(detector->update(second.x));
  Design far;
  far.x = Eigen::VectorXd::Constant(1, 12);
  EXPECT_NEAR(detector->score(far.x)(0), 10 / std::sqrt(5.0), 1e-12);
}

TEST(Zscore, DoesNotDependOnTheOrderOfWindows) {
  const Eigen::MatrixXd x = SyntheticRun(3).quiet(50, 30);
  const Design forward = to_design(x);
  const Design backward = to_design(x.colwise().reverse());
  EXPECT_TRUE(
      zscore(30)->score(forward.x).reverse().isApprox(zscore(30)->score(backward.x), 1e-12));
}

}  // namespace
}  // namespace reveal::detect
