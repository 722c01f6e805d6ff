#include <gtest/gtest.h>

#include "detect/design.h"
#include "detect/detector.h"
#include "detect/scored_run.h"
#include "detect/testing/synthetic_run.h"
#include "detect/verdict.h"
#include "feature/feature.h"

namespace reveal::detect {
namespace {

using Eigen::Index;

std::unique_ptr<Detector> levels(const Eigen::MatrixXd& x, std::vector<Index> columns = {}) {
  DetectorOptions options;
  options.levels = std::move(columns);
  auto out = registry()[find_detector("robust_outlier_share").value()].make(options);
  EXPECT_TRUE(out->fit(x));
  return out;
}

// By hand: of 0 to 100 the median is 50, the MAD 25, which makes 37.065; the 10 % and 90 %
// quantiles are 80 apart, which makes 31.212. The larger, five times: 185.325.
TEST(RobustOutlierShare, CountWhatLiesFiveRobustUnitsOut) {
  Eigen::MatrixXd x(101, 2);
  x << Eigen::VectorXd::LinSpaced(101, 0, 100), Eigen::VectorXd::LinSpaced(101, 100, 0);
  const auto detector = levels(x);
  Eigen::MatrixXd seen(4, 2);
  seen << 50, 50, 235.3, 50, 235.4, 50, -135.4, 235.4;
  EXPECT_EQ(detector->score(seen), Eigen::Vector4d(0, 0, 0.5, 1));
  EXPECT_EQ(detector->contributions(seen, 2), Eigen::Vector2d(0.5, 0));
  EXPECT_EQ(detector->resolution(), 0.5);
}

// By hand: 0 in six of ten windows and 1 in four has no MAD; with 0 in half of them and 1 in the
// other, it is 0.5, and both levels are usual.
TEST(RobustOutlierShare, SayNothingOfWhatStoodStill) {
  Eigen::MatrixXd x(100, 2);
  for (Index row = 0; row < 100; ++row) {
    x.row(row) << (row % 10 < 4 ? 1.0 : 0.0), static_cast<double>(row % 2);
  }
  const auto detector = levels(x);
  Eigen::MatrixXd seen(3, 2);
  seen << 1, 1, 1000, 0, 1000, 1000;
  EXPECT_EQ(detector->score(seen), Eigen::Vector3d(0, 0, 0.5));
}

TEST(RobustOutlierShare, LookAtNoOtherColumn) {
  const Eigen::MatrixXd x = SyntheticRun(5).noise(60, 4);
  const auto detector = levels(x, {1, 3});
  Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(2, 4);
  seen.row(0) << 99, 0, 99, 0;
  seen.row(1) << 0, 99, 0, 0;
  EXPECT_EQ(detector->score(seen), Eigen::Vector2d(0, 0.5));
}

TEST(RobustOutlierShare, OfADesignAreMeansAndMedians) {
  feature::FeatureMatrix matrix;
  for (const char* name : {"variance", "mean", "maximum", "median"}) {
    matrix.add_column({model::ChannelId(0), feature::find_feature(name).value()});
  }
  const Eigen::MatrixXd x = SyntheticRun(6).noise(40, 4);
  for (Index i = 0; i < x.rows(); ++i) {
    auto& row = matrix.add_row({});
    for (Index j = 0; j < x.cols(); ++j) row[static_cast<std::size_t>(j)] = x(i, j);
  }
  EXPECT_EQ(make_design(matrix).value().levels, (std::vector<Index>{1, 3}));
}

// Three disturbances of the same columns are in all that they are compared with, and yet a tenth of
// the columns is found far out in each.
TEST(RobustOutlierShare, DisturbancesDoNotHideEachOther) {
  constexpr Index kTouched = 30;
  Eigen::MatrixXd x = SyntheticRun(7).quiet(260, 200);
  for (const Index first : {20, 100, 200}) SyntheticRun::plant_burst(x, first, kTouched, 24);
  const auto run =
      ScoredRun::score(to_design(x), Baseline::kRun, {.names = {"robust_outlier_share"}});
  ASSERT_TRUE(run);
  for (const Index row : {23, 103, 203}) EXPECT_GT(run->scores(0)(row), 0.1) << row;
  EXPECT_EQ(run->scores(0)(60), 0);
}

// Scores of which nearly all are zero have no spread to speak of: one column that jumps for a while
// is not a reason for an alarm, many are.
TEST(RobustOutlierShare, OneColumnAloneRaisesNoAlarm) {
  for (const Index touched : {1, 2, 40}) {
    Eigen::MatrixXd x = SyntheticRun(8).quiet(130, 200);
    SyntheticRun::plant_burst(x, 60, touched, 40);
    const auto run =
        ScoredRun::score(to_design(x), Baseline::kRest, {.names = {"robust_outlier_share"}});
    ASSERT_TRUE(run);
    const auto verdict = judge(*run, {.neighbors = 3});
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->agreement[63], touched == 40 ? 1 : 0) << touched;
  }
}

TEST(RobustOutlierShare, LearnOfEnoughWindowsOnly) {
  const Eigen::MatrixXd x = SyntheticRun(9).noise(100, 3);
  const auto detector = levels(x.topRows(60));
  EXPECT_FALSE(detector->update(x.bottomRows(19)));
  EXPECT_TRUE(detector->update(x.bottomRows(40)));
}

}  // namespace
}  // namespace reveal::detect
