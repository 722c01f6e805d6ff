#include <cmath>

#include <gtest/gtest.h>

#include "detect/design.h"
#include "detect/detector.h"
#include "detect/scored_run.h"
#include "detect/standardize.h"
#include "detect/testing/synthetic_run.h"
#include "detect/verdict.h"
#include "feature/feature.h"

namespace reveal::detect {
namespace {

using Eigen::Index;
using Groups = std::vector<std::vector<Index>>;

std::unique_ptr<Detector> fitted(const Eigen::MatrixXd& x, Groups by_subsystem = {}) {
  DetectorOptions options;
  options.by_subsystem = std::move(by_subsystem);
  auto out = registry()[find_detector("subsystem_burst").value()].make(options);
  EXPECT_TRUE(out->fit(x));
  return out;
}

// Columns of -0.5 to 0.5: by hand, the median is 0 and 1.4826 MAD 0.37065; the 20 % and 80 %
// quantiles are 0.6 apart, over 1.6832 0.35646. Five times the larger is 1.85325.
Eigen::MatrixXd ramps(Index columns) {
  return Eigen::VectorXd::LinSpaced(101, -0.5, 0.5).replicate(1, columns);
}

TEST(SubsystemBurst, IsTheThirdFarthestOfASubsystem) {
  const auto detector = fitted(ramps(7), {{0, 2, 4}, {1, 3, 5, 6}});
  Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(4, 7);
  seen(1, 0) = seen(1, 2) = seen(1, 1) = seen(1, 3) = kFarthest;  // two of each
  seen(2, 1) = 2 * 1.85325;
  seen(2, 3) = -1.85325;
  seen(2, 6) = limited(3 * 1.85325);
  seen.row(3).setConstant(kFarthest);
  const auto scores = detector->score(seen);
  EXPECT_EQ(scores(0), 0);
  EXPECT_EQ(scores(1), 0);
  EXPECT_NEAR(scores(2), 1, 1e-12);
  EXPECT_EQ(scores(3), 8);
  // 4, 1, 0 and 9 of 14.
  Eigen::VectorXd parts = Eigen::VectorXd::Zero(7);
  parts << 0, 4.0 / 14, 0, 1.0 / 14, 0, 0, 9.0 / 14;
  EXPECT_TRUE(detector->contributions(seen, 2).isApprox(parts, 1e-12));
}

TEST(SubsystemBurst, OfManyChannelsAFiftiethMustBeFar) {
  const auto detector = fitted(ramps(200));
  Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(2, 200);
  seen.row(0).head(3).setConstant(kFarthest);
  seen.row(1).head(4).setConstant(kFarthest);
  EXPECT_EQ(detector->score(seen), Eigen::Vector2d(0, 8));
}

TEST(Standardize, TheLimitIsTakenBack) {
  for (const double z : {-300.0, -5.0, 0.0, 3.0, 5.1, 5000.0}) {
    EXPECT_NEAR(without_limit(limited(z)), z, 1e-9 * std::abs(z)) << z;
  }
}

TEST(SubsystemBurst, TwoChannelsSayNothing) {
  const auto detector = fitted(ramps(5), {{0, 1}, {2, 3, 4}});
  Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(1, 5);
  seen.leftCols(2).setConstant(kFarthest);
  EXPECT_EQ(detector->score(seen)(0), 0);
}

// Five standard deviations of what the detectors see, which are 1.
TEST(SubsystemBurst, WhatStoodStillIsMeasuredByItsStandardDeviation) {
  const auto detector = fitted(Eigen::MatrixXd::Zero(40, 3));
  EXPECT_DOUBLE_EQ(detector->score(Eigen::MatrixXd::Constant(1, 3, limited(10)))(0), 2);
}

TEST(SubsystemBurst, OfADesignAreMediansBySubsystem) {
  using enum model::Subsystem;
  feature::FeatureMatrix matrix;
  const auto add = [&](std::size_t channel, const char* name) {
    matrix.add_column({model::ChannelId(channel), feature::find_feature(name).value()});
  };
  for (std::size_t channel = 0; channel < 3; ++channel) {
    for (const char* name : {"mean", "median", "variance"}) add(channel, name);
  }
  const Eigen::MatrixXd x = SyntheticRun(6).noise(40, 9);
  for (Index i = 0; i < x.rows(); ++i) {
    auto& row = matrix.add_row({});
    for (Index j = 0; j < x.cols(); ++j) row[static_cast<std::size_t>(j)] = x(i, j);
  }
  const std::vector subsystems{kStorage, kCpu, kStorage};
  EXPECT_EQ(make_design(matrix, {.subsystems = subsystems})->by_subsystem, (Groups{{4}, {1, 7}}));
  EXPECT_EQ(make_design(matrix)->by_subsystem, (Groups{{1, 4, 7}}));
}

// Four of 200 columns, for as long as a fifth of the run: a mean over all columns hardly moves.
TEST(SubsystemBurst, IsFoundAmongManyColumnsInAShortRun) {
  constexpr Index kRows = 50;
  for (const bool burst : {false, true}) {
    Eigen::MatrixXd x = SyntheticRun(7).quiet(kRows, 200);
    if (burst) x.block(20, 60, 10, 4).array() += 40;
    auto design = to_design(x);
    design.by_subsystem = {{}, {}};
    for (Index j = 0; j < 200; ++j) design.by_subsystem[j >= 50 && j < 70 ? 1 : 0].push_back(j);
    const auto run = ScoredRun::score(design, Baseline::kRest, {.names = {"subsystem_burst"}});
    ASSERT_TRUE(run);
    const auto verdict = judge(*run, {.neighbors = 5});
    ASSERT_TRUE(verdict);
    for (Index row = 0; row < kRows; ++row) {
      const bool planted = burst && row >= 20 && row < 30;
      EXPECT_EQ(verdict->agreement[static_cast<std::size_t>(row)], planted ? 2 : 0) << row;
    }
  }
}

TEST(SubsystemBurst, LearnsOfEnoughWindowsOnly) {
  const Eigen::MatrixXd x = SyntheticRun(9).noise(100, 3);
  const auto detector = fitted(x.topRows(60));
  EXPECT_FALSE(detector->update(x.bottomRows(19)));
  EXPECT_TRUE(detector->update(x.bottomRows(40)));
}

}  // namespace
}  // namespace reveal::detect
