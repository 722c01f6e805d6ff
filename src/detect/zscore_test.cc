#include <gtest/gtest.h>

#include "detect/detector.h"
#include "detect/synthetic_run.h"

namespace reveal::detect {
namespace {

std::unique_ptr<Detector> zscore() {
  return registry()[find_detector("zscore").value()].make({});
}

TEST(Zscore, IsTheMeanAbsoluteStandardScore) {
  Design design;
  design.x.resize(2, 3);
  design.x << 1.0, -2.0, 3.0, 0.0, 0.0, -6.0;
  const auto scores = zscore()->score(design);
  EXPECT_DOUBLE_EQ(scores(0), 2.0);
  EXPECT_DOUBLE_EQ(scores(1), 2.0);
}

TEST(Zscore, PartsSumToTheScore) {
  const Design design = to_design(SyntheticRun(2).quiet(50, 30));
  const auto scores = zscore()->score(design);
  for (Eigen::Index row = 0; row < scores.size(); ++row) {
    EXPECT_NEAR(zscore()->contributions(design, row).sum(), scores(row), 1e-12);
  }
}

TEST(Zscore, DoesNotDependOnTheOrderOfWindows) {
  const Eigen::MatrixXd x = SyntheticRun(3).quiet(50, 30);
  const Design forward = to_design(x);
  const Design backward = to_design(x.colwise().reverse());
  EXPECT_TRUE(zscore()->score(forward).reverse().isApprox(zscore()->score(backward), 1e-12));
}

}  // namespace
}  // namespace reveal::detect
