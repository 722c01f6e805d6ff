#include "detect/design.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "detect/testing/synthetic_run.h"
#include "feature/feature.h"

namespace reveal::detect {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 40 rows whose first column counts 0, 1, 0, 1, ...: mean 0.5, population deviation 0.5.
Eigen::MatrixXd alternating(Eigen::Index columns) {
  Eigen::MatrixXd x(40, columns);
  for (Eigen::Index i = 0; i < x.rows(); ++i) x.row(i).setConstant(static_cast<double>(i % 2));
  return x;
}

TEST(Design, StandardizesByMeanAndPopulationDeviation) {
  const Design design = to_design(alternating(1));
  EXPECT_DOUBLE_EQ(design.mean(0), 0.5);
  EXPECT_DOUBLE_EQ(design.scale(0), 0.5);
  EXPECT_DOUBLE_EQ(design.x(0, 0), -1.0);
  EXPECT_DOUBLE_EQ(design.x(1, 0), 1.0);
}

TEST(Design, LeavesOutConstantColumns) {
  Eigen::MatrixXd x = alternating(4);
  x.col(0).setConstant(7.0);
  x.col(1).setConstant(0.0);
  x.col(2) = (x.col(2).array() * 1e-6 + 1e6).matrix();  // varies by 5e-13 of its mean: rounding
  EXPECT_THAT(to_design(x).columns, ElementsAre(3));
}

TEST(Design, KeepsOnePageOfChangeInALargeMemory) {
  Eigen::MatrixXd x = alternating(1);
  x = (x.array() * 4096.0 + 256.0 * 1024 * 1024 * 1024).matrix();
  const Design design = to_design(x);
  EXPECT_NEAR(design.scale(0), 2048.0, 1e-6);
}

TEST(Design, UndefinedValuesBecomeTheMeanAndDoNotMoveIt) {
  Eigen::MatrixXd x = alternating(1);
  x(0, 0) = kNaN;
  x(1, 0) = kInfinity;
  x(2, 0) = -kInfinity;
  x(3, 0) = kNaN;
  const Design design = to_design(x);
  EXPECT_DOUBLE_EQ(design.mean(0), 0.5);
  EXPECT_DOUBLE_EQ(design.scale(0), 0.5);
  EXPECT_TRUE((design.x.topRows(4).array() == 0.0).all());
}

TEST(Design, LeavesOutWhatIsUndefinedInMoreThanHalfOfTheWindows) {
  Eigen::MatrixXd x = alternating(2);
  x.col(0).head(20).setConstant(kNaN);
  x.col(1).head(21).setConstant(kNaN);
  EXPECT_THAT(to_design(x).columns, ElementsAre(0));
}

TEST(Design, LeavesOutColumnsWhoseDeviationOverflows) {
  Eigen::MatrixXd x = alternating(2);
  x.col(0) *= 1e300;
  EXPECT_THAT(to_design(x).columns, ElementsAre(1));
}

TEST(Design, APartHasWhatMovesAndWhatTellsSaturation) {
  Eigen::MatrixXd x = alternating(6);
  for (const Eigen::Index column : {0, 2, 5}) x.col(column).setConstant(7);
  const auto matrix = to_feature_matrix(x);
  const DesignOptions options{.keep_constant = true, .least_rises = {0, 0, 1, 1, 0, 0}};
  const auto layout = make_layout(matrix, options).value();
  auto part = moving_part(layout);
  EXPECT_THAT(part.places, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(part.design.columns, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(part.design.saturation.live, ElementsAre(1, 2));
  EXPECT_EQ(part.design.left_out.columns, 2);
  add_windows(matrix, options, part.design);
  const auto whole = make_design(matrix, options).value();
  EXPECT_EQ(part.design.x, whole.x(Eigen::all, part.places));
  EXPECT_EQ(part.design.saturation.x, whole.saturation.x);
}

TEST(Design, APartHasALevelIfTheWholeHas) {
  const auto channel = model::ChannelId(0);
  feature::FeatureMatrix matrix;
  matrix.add_column({channel, *feature::find_feature("mean")});
  matrix.add_column({channel, *feature::find_feature("standard_deviation")});
  for (int row = 0; row < 40; ++row) matrix.add_row({}) = {7.0, row % 2 * 1.0};
  const auto layout = make_layout(matrix, {.keep_constant = true}).value();
  ASSERT_THAT(layout.levels, ElementsAre(0));
  EXPECT_THAT(moving_part(layout).design.levels, ElementsAre(0));
}

TEST(Design, UsesOnlyTheChannelsAskedFor) {
  const auto matrix = to_feature_matrix(alternating(4));
  EXPECT_THAT(make_design(matrix, {{false, true, true}})->columns, ElementsAre(1, 2));
  EXPECT_THAT(make_design(matrix, {})->columns, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(make_design(matrix, {{false}}).error().kind, base::ErrorKind::kTooLittle);
}

TEST(Design, SaysHowManyWindowsItNeeds) {
  const auto failed = make_design(to_feature_matrix(alternating(1).topRows(19)));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_THAT(failed.error().message(), HasSubstr("too few windows: 19"));
  EXPECT_THAT(failed.error().message(), HasSubstr("at least 20"));
  EXPECT_TRUE(make_design(to_feature_matrix(alternating(1).topRows(20))));
}

TEST(Design, SaysThatNothingVaried) {
  const auto failed = make_design(to_feature_matrix(Eigen::MatrixXd::Ones(30, 3)));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_THAT(failed.error().message(), HasSubstr("no feature changed"));
}

TEST(Design, ProjectsOtherWindowsIntoTheSameUnits) {
  const Design fitted = to_design(alternating(2));
  Eigen::MatrixXd other(2, 2);
  other << 2.5, kNaN, 0.5, 0.0;
  const Eigen::MatrixXd x = project(to_feature_matrix(other), fitted);
  Eigen::MatrixXd expected(2, 2);
  expected << 4.0, 0.0, 0.0, -1.0;
  EXPECT_TRUE(x.isApprox(expected)) << x;
  EXPECT_EQ(project(to_feature_matrix(other), fitted, {.first = 1}), x.bottomRows(1));
  EXPECT_EQ(project(to_feature_matrix(other), fitted, {.count = 1}), x.topRows(1));
}

// Of the windows in a gap only means are known; that leaves no other column out.
TEST(Design, WindowsThatHoldMeansDoNotCountForWhatIsUndefined) {
  for (const bool holds_means : {false, true}) {
    feature::FeatureMatrix matrix;
    for (std::uint32_t i = 0; i < 2; ++i) {
      matrix.add_column({model::ChannelId(i), feature::FeatureId(0)});
    }
    for (std::size_t row = 0; row < 60; ++row) {
      const bool in_gap = row % 3 != 0;
      window::WindowSpan span;
      span.holds_means = in_gap && holds_means;
      auto& values = matrix.add_row(span);
      values[0] = static_cast<double>(row % 7);
      if (!in_gap) values[1] = static_cast<double>(row % 5);
    }
    const auto design = make_design(matrix, {});
    ASSERT_TRUE(design) << design.error().message();
    EXPECT_EQ(design->columns.size(), holds_means ? 2u : 1u);
  }
}

}  // namespace
}  // namespace reveal::detect
