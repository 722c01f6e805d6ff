#include <memory>

#include <gtest/gtest.h>

#include "detect/detector.h"
#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

std::unique_ptr<Detector> made(std::string_view name) {
  return registry()[find_detector(name).value()].make({});
}

TEST(PcaResidual, TakesOverTheAxesOfTheMahalanobisDistance) {
  const Design design = to_design(SyntheticRun(4).quiet(80, 30));
  const auto mahalanobis = made("pca_mahalanobis");
  ASSERT_TRUE(mahalanobis->fit(design.x));
  const auto own = made("pca_residual");
  ASSERT_TRUE(own->fit(design.x));
  const auto alike = made("pca_residual");
  ASSERT_TRUE(alike->fit_like(*mahalanobis));
  EXPECT_EQ(alike->score(design.x), own->score(design.x));
  // What the one learns more, the other does not.
  const auto before = mahalanobis->score(design.x);
  ASSERT_TRUE(alike->update(design.x.topRows(30) * 2));
  EXPECT_EQ(mahalanobis->score(design.x), before);
}

TEST(PcaResidual, TakesNothingOverOfAnotherKind) {
  const Design design = to_design(SyntheticRun(4).quiet(80, 30));
  const auto share = made("outlier_share");
  ASSERT_TRUE(share->fit(design.x));
  EXPECT_FALSE(made("pca_residual")->fit_like(*share));
  EXPECT_FALSE(made("outlier_share")->fit_like(*share));
}

// By hand: three columns that move together and one that stands still; what only the still one does
// is the residual, in part.
TEST(PcaResidual, IsWhatTheComponentsLeave) {
  Design design = to_design(SyntheticRun(4).quiet(80, 4));
  for (Eigen::Index j = 1; j < 4; ++j) design.x.col(j) = design.x.col(0);
  const auto residual = made("pca_residual");
  ASSERT_TRUE(residual->fit(design.x));
  EXPECT_NEAR(residual->score(design.x).maxCoeff(), 0, 1e-9);
  Eigen::MatrixXd odd = design.x.topRows(1);
  odd(0, 3) += 4;  // along (1, 1, 1, 1) / 2 that is 2: 1 in each column; 1, 1, 1 and 3 are left
  EXPECT_NEAR(residual->score(odd)(0), (1 + 1 + 1 + 3) / 4.0, 1e-9);
  EXPECT_NEAR(residual->contributions(odd, 0)(3), 3 / 4.0, 1e-9);
}

}  // namespace
}  // namespace reveal::detect
