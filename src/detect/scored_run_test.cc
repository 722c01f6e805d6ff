#include "detect/scored_run.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "detect/standardize.h"
#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

// A design of independent normal columns, as they are.
Design normal_design(Eigen::Index windows, Eigen::Index columns, std::uint64_t seed) {
  Design out;
  out.x = SyntheticRun(seed).noise(windows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) out.columns.push_back(static_cast<std::size_t>(j));
  out.mean = Eigen::VectorXd::Zero(columns);
  out.scale = Eigen::VectorXd::Ones(columns);
  return out;
}

const DetectorOptions kVoters{
    1, {"zscore", "robust_outlier_share", "outlier_share", "pca_mahalanobis"}};

std::size_t place_of(std::string_view detector) {
  const auto votes = chosen(kVoters);
  return static_cast<std::size_t>(
      std::find_if(votes.begin(), votes.end(),
                   [&](const auto& row) { return row.name == detector; }) -
      votes.begin());
}

TEST(ScoredRun, WithTheRunAsBaselineItIsTheDetectorsThemselves) {
  const Design design = normal_design(40, 30, 1);
  const auto run = ScoredRun::score(design, Baseline::kRun).value();
  const auto detectors = fit_all(design, for_own_windows({})).value();
  ASSERT_EQ(run.detector_count(), detectors.size());
  for (std::size_t i = 0; i < detectors.size(); ++i) {
    EXPECT_EQ(run.name(i), detectors[i]->name());
    EXPECT_EQ(run.scores(i), detectors[i]->score(design.x));
    EXPECT_EQ(run.contributions(i, 7), detectors[i]->contributions(design.x, 7));
  }
}

// Returns the z-score of one window by hand: mean and standard deviation of the windows outside
// [from, to).
double z_by_hand(const Design& design, Eigen::Index window, Eigen::Index from, Eigen::Index to) {
  const auto count = static_cast<double>(design.x.rows() - (to - from));
  double out = 0;
  for (Eigen::Index j = 0; j < design.x.cols(); ++j) {
    double sum = 0;
    double squares = 0;
    for (Eigen::Index i = 0; i < design.x.rows(); ++i) {
      if (i >= from && i < to) continue;
      sum += design.x(i, j);
      squares += design.x(i, j) * design.x(i, j);
    }
    const double mean = sum / count;
    const double deviation = std::sqrt(squares / count - mean * mean);
    out += std::abs(design.x(window, j) - mean) / deviation;
  }
  return out / static_cast<double>(design.x.cols());
}

struct Disturbed {
  Design design;
  std::vector<bool> slow;  // by window
};

// A run of which four disturbances fill two fifths.
Disturbed disturbed_design() {
  constexpr Eigen::Index kRows = 120;
  Disturbed out{normal_design(kRows, 8, 4), std::vector<bool>(kRows, false)};
  auto& saturation = out.design.saturation;
  saturation.live = {0};
  saturation.least = {1};
  saturation.x = SyntheticRun(5).noise(kRows, 1) * 0.05;
  for (Eigen::Index row = 0; row < kRows; ++row) {
    if (row % 30 < 18) continue;
    saturation.x(row, 0) += 3;
    out.slow[static_cast<std::size_t>(row)] = true;
  }
  return out;
}

// Four disturbances fill two fifths of a run. By all windows they are a level of their own; by
// those in which the workload was not slow they are far from the usual.
TEST(ScoredRun, WhatStallsASlowWorkloadIsNotItsUsual) {
  auto disturbed = disturbed_design();
  auto& design = disturbed.design;
  const auto& slow = disturbed.slow;
  const auto highest = [&](const std::vector<bool>& told) {
    design.saturation.slow = told;
    return ScoredRun::score(design, Baseline::kRest, {1, {"saturation"}})
        .value()
        .scores(0)
        .maxCoeff();
  };
  EXPECT_LT(highest({}), 0.6);
  EXPECT_NEAR(highest(slow), 3, 0.3);
  // Hardly any window is left to learn from.
  EXPECT_LT(highest(std::vector<bool>(slow.size(), true)), 0.6);
}

// What is learned later to be stalled counts as if it had been known, for what sees saturation
// alone.
TEST(ScoredRun, SaturationIsLearnedAnewWithoutWhatIsStalled) {
  auto [design, stalled] = disturbed_design();
  const DetectorOptions options{1, {"saturation", "zscore"}};
  auto run = ScoredRun::score(design, Baseline::kRest, options).value();
  EXPECT_LT(run.scores(0).maxCoeff(), 0.6);
  ASSERT_TRUE(run.learn_without(stalled));
  EXPECT_NEAR(run.scores(0).maxCoeff(), 3, 0.3);
  const auto anew = run;
  ASSERT_TRUE(run.learn_without({}));
  EXPECT_LT(run.scores(0).maxCoeff(), 0.6);
  run = anew;

  design.saturation.slow = stalled;
  const auto known = ScoredRun::score(design, Baseline::kRest, options).value();
  for (std::size_t i = 0; i < run.detector_count(); ++i) {
    EXPECT_EQ(run.scores(i), known.scores(i));
    EXPECT_EQ(run.reference(i), known.reference(i));
    EXPECT_EQ(run.contributions(i, 20), known.contributions(i, 20));
  }
}

TEST(ScoredRun, WhatNeedsHeldOutWindowsHasNoVoteWhereTheRunIsItsOwnBaseline) {
  const Design design = normal_design(60, 12, 2);
  const auto names = [&](Baseline baseline) {
    const auto run = ScoredRun::score(design, baseline).value();
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < run.detector_count(); ++i) out.push_back(run.name(i));
    return out;
  };
  EXPECT_EQ(names(Baseline::kRest).back(), "pca_residual");
  EXPECT_EQ(names(Baseline::kRun).back(), "pca_mahalanobis");
  const auto alone = ScoredRun::score(design, Baseline::kRun, {1, {"pca_residual"}});
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().kind, base::ErrorKind::kUsage);
}

TEST(ScoredRun, TheRestLeavesOutTheFoldAndItsNeighborhood) {
  const Design design = normal_design(60, 12, 2);  // 20 folds of 3
  const auto run = ScoredRun::score(design, Baseline::kRest, kVoters).value();
  ASSERT_EQ(run.baseline(), Baseline::kRest);
  // Window 31 is in the fold of 30, 31, 32.
  EXPECT_NEAR(run.scores(place_of("zscore"))[31], z_by_hand(design, 31, 20, 43), 1e-12);
}

TEST(ScoredRun, HeldOutWindowsMayBeScoredInFewerFolds) {
  const Design design = normal_design(120, 12, 2);  // 5 folds of 24
  const auto run = ScoredRun::score_held_out(design, kVoters, {.folds = 5}).value();
  // Window 50 is in the fold of 48 to 71.
  EXPECT_NEAR(run.scores(place_of("zscore"))[50], z_by_hand(design, 50, 38, 82), 1e-12);
}

TEST(ScoredRun, EachOfSeveralRunsIsScoredByTheOthersWhole) {
  const Design design = normal_design(120, 12, 2);
  const auto run = ScoredRun::score_held_out(design, kVoters, {.runs = {0, 30, 75}}).value();
  const auto& scores = run.scores(place_of("zscore"));
  EXPECT_NEAR(scores[0], z_by_hand(design, 0, 0, 30), 1e-12);
  EXPECT_NEAR(scores[30], z_by_hand(design, 30, 30, 75), 1e-12);
  EXPECT_NEAR(scores[74], z_by_hand(design, 74, 30, 75), 1e-12);
  EXPECT_NEAR(scores[119], z_by_hand(design, 119, 75, 120), 1e-12);
}

TEST(ScoredRun, WhatIsLeftWithoutARunMustBeEnoughToJudgeItBy) {
  const Design design = normal_design(119, 12, 2);
  const auto run = ScoredRun::score_held_out(design, {}, {.runs = {0, 100}});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_NE(run.error().what.find("without run 1 of 2 only 19 windows are left"),
            std::string::npos);
}

TEST(ScoredRun, ARunMuchLongerThanTheOthersIsScoredByAllOfThem) {
  const Design design = normal_design(3600, 12, 2);
  const auto run = ScoredRun::score_held_out(design, kVoters, {.runs = {0, 3540}});
  ASSERT_TRUE(run) << run.error().message();
  EXPECT_NEAR(run->scores(place_of("zscore"))[7], z_by_hand(design, 7, 0, 3540), 1e-12);
}

TEST(ScoredRun, ABurstDoesNotHideItself) {
  Design design = normal_design(60, 300, 3);
  design.x.block(30, 0, 7, 20) = design.x.block(30, 0, 7, 20).array() + 30.0;
  const auto own = ScoredRun::score(design, Baseline::kRun, kVoters).value();
  const auto rest = ScoredRun::score(design, Baseline::kRest, kVoters).value();
  const auto lift = [](const Eigen::VectorXd& scores) {
    double usual = 0;
    for (Eigen::Index i = 0; i < 60; ++i)
      usual = i < 30 || i > 36 ? std::max(usual, scores[i]) : usual;
    return scores.segment(30, 7).minCoeff() / usual;
  };
  // Every window of the burst scores above every other window, by z-score and by Mahalanobis.
  EXPECT_GT(lift(rest.scores(place_of("zscore"))), 1.2);
  EXPECT_GT(lift(rest.scores(place_of("pca_mahalanobis"))), 1.2);
  EXPECT_LT(lift(own.scores(place_of("pca_mahalanobis"))),
            1.0);  // which, fitted on the burst, does not see it
}

TEST(ScoredRun, AColumnThatNeverMovedElsewhereCountsWithTheLimit) {
  Design design = normal_design(60, 10, 4);
  design.x.col(3).setConstant(0.5);
  design.x(40, 3) = 0.6;
  const auto run = ScoredRun::score(design, Baseline::kRest, kVoters).value();
  const auto parts = run.contributions(place_of("zscore"), 40);
  EXPECT_NEAR(parts[3], kFarthest / 10, 1e-12);
  EXPECT_NEAR(run.contributions(place_of("zscore"), 44)[3], 0.0,
              1e-6);  // 40 is in its neighborhood
  for (std::size_t i = 0; i < run.detector_count(); ++i) {
    EXPECT_TRUE(run.scores(i).allFinite()) << run.name(i);
  }
}

TEST(ScoredRun, FarDeviationsCountWithTheirLogarithm) {
  Design design = normal_design(60, 4, 8);
  const auto score_at = [&](double value) {
    design.x(30, 0) = value;
    return ScoredRun::score(design, Baseline::kRest, kVoters)
               ->contributions(place_of("zscore"), 30)[0] *
           4;
  };
  const double one_out = score_at(1.0);
  const double two_out = score_at(2.0);
  // Linear up to 5 standard deviations; beyond, e times as far counts 5 more.
  EXPECT_NEAR(score_at(3.0) - two_out, two_out - one_out, 1e-9);
  EXPECT_NEAR(score_at(1e4), 40.0, 0.1);
  EXPECT_NEAR(score_at(100 * 2.718281828459045) - score_at(100), 5.0, 0.05);
  EXPECT_EQ(score_at(1e9), kFarthest);
}

TEST(ScoredRun, ThePastKnowsNothingOfTheFuture) {
  Design design = normal_design(150, 12, 7);
  const auto before = ScoredRun::score(design, Baseline::kPast).value();
  design.x.bottomRows(50).array() += 100;
  const auto after = ScoredRun::score(design, Baseline::kPast).value();
  EXPECT_EQ(before.unjudged(), kFirstJudged);
  for (std::size_t i = 0; i < before.detector_count(); ++i) {
    EXPECT_EQ(before.scores(i).head(100), after.scores(i).head(100)) << before.name(i);
    EXPECT_GT(after.scores(i)(100), before.scores(i).maxCoeff()) << before.name(i);
  }
}

TEST(ScoredRun, WithoutAPastNothingIsJudged) {
  EXPECT_FALSE(ScoredRun::score(normal_design(30, 5, 5), Baseline::kPast));
  EXPECT_TRUE(ScoredRun::score(normal_design(31, 5, 5), Baseline::kPast));
}

TEST(ScoredRun, TooShortARunIsComparedWithItself) {
  EXPECT_EQ(ScoredRun::score(normal_design(20, 5, 5), Baseline::kRest)->baseline(), Baseline::kRun);
  EXPECT_EQ(ScoredRun::score(normal_design(27, 5, 5), Baseline::kRest)->baseline(), Baseline::kRun);
  EXPECT_EQ(ScoredRun::score(normal_design(28, 5, 5), Baseline::kRest)->baseline(),
            Baseline::kRest);
  EXPECT_FALSE(ScoredRun::score(normal_design(19, 5, 5), Baseline::kRest));
}

TEST(ScoredRun, ALongRunHasAsManyFoldsAsAShortOne) {
  const Design design = normal_design(1001, 6, 7);
  const DetectorOptions both{.names = {"zscore", "isolation_forest"}};
  const auto run = ScoredRun::score(design, Baseline::kRest, both).value();
  EXPECT_EQ(run.window_count(), 1001);
  EXPECT_GT(run.scores(0).minCoeff(), 0.0);
  EXPECT_TRUE(run.scores(1).allFinite());
}

}  // namespace
}  // namespace reveal::detect
