#include "detect/fitted_baseline.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "detect/baseline_file.h"
#include "detect/standardize.h"
#include "detect/testing/synthetic_run.h"
#include "detect/usual_contributions.h"
#include "detect/verdict.h"
#include "detect/window_scorer.h"
#include "feature/feature.h"

namespace reveal::detect {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

constexpr Index kRows = 150;
constexpr Index kColumns = 60;

// A matrix whose column j is feature 0 of a gauge named c0, c1, ...
struct Named {
  feature::FeatureMatrix matrix;
  model::ChannelTable channels;

  explicit Named(const MatrixXd& x, Index first = 0) : matrix(to_feature_matrix(x)) {
    for (Index j = 0; j < x.cols(); ++j) {
      names_.push_back("c" + std::to_string(first + j));
    }
    for (const auto& name : names_) {
      model::MetricDescriptor metric;
      metric.name = name;
      metric.label = name;
      metric.kind = model::Kind::kGauge;
      channels.add_channel(channels.add_metric(metric));
    }
  }

 private:
  std::vector<std::string> names_;
};

MatrixXd quiet(std::uint64_t seed, Index rows = kRows) {
  return SyntheticRun(seed).quiet(rows, kColumns);
}

// Two runs of one host: the same causes move the same columns.
std::pair<MatrixXd, MatrixXd> two_runs() {
  const MatrixXd both = quiet(3, 2 * kRows);
  return {both.topRows(kRows), both.bottomRows(kRows)};
}

FittedBaseline fitted(const MatrixXd& x, Baseline kind = Baseline::kRest,
                      const DetectorOptions& detectors = {}) {
  const Named run(x);
  auto out = fit_baseline(run.matrix, run.channels, {{}, kind, detectors});
  EXPECT_TRUE(out) << (out ? "" : out.error().message());
  out->windows = {};
  return std::move(*out);
}

ScoredRun scored(const FittedBaseline& baseline, const MatrixXd& x, Index first = 0) {
  const Named run(x, first);
  auto matched = match(baseline, run.matrix, run.channels);
  EXPECT_TRUE(matched) << (matched ? "" : matched.error().message());
  return ScoredRun::against(baseline.detectors, std::move(matched->design));
}

TEST(FittedBaseline, AnotherRunOfTheSameHostIsNoAnomaly) {
  const auto [first, second] = two_runs();
  const auto verdict = judge(scored(fitted(first), second)).value();
  for (const int agreement : verdict.agreement) EXPECT_LT(agreement, 2);
}

TEST(FittedBaseline, ADisturbanceThatLastsAllRunIsSeen) {
  auto [first, second] = two_runs();
  second.leftCols(15).array() += 12;
  const auto verdict = judge(scored(fitted(first), second)).value();
  const auto found = std::count_if(verdict.agreement.begin(), verdict.agreement.end(),
                                   [](int agreement) { return agreement >= 2; });
  EXPECT_GT(found, kRows * 9 / 10);
}

TEST(FittedBaseline, WhatNeverMovedBeforeIsNewsWhenItDoes) {
  auto [first, second] = two_runs();
  first.rightCols(10).setConstant(7);
  second.rightCols(10).setConstant(7);
  second.row(40).rightCols(10).array() += 1e-3;
  const auto run = scored(fitted(first, Baseline::kRest, {1, {"zscore"}}), second);
  Index top = 0;
  run.scores(0).maxCoeff(&top);
  EXPECT_EQ(top, 40);
  EXPECT_NEAR(run.contributions(0, 40).tail(10).sum(), 10 * kFarthest / kColumns, 1e-12);
}

// Columns that stand still are left out of the work, and of nothing else.
TEST(FittedBaseline, StandingColumnsCountAsIfTheyHadBeenFitted) {
  MatrixXd x = quiet(5);
  for (Index column = 0; column < kColumns; column += 3) x.col(column).setConstant(7);
  const std::vector<std::string> names{"zscore",        "robust_outlier_share",
                                       "outlier_share", "pca_mahalanobis",
                                       "pca_residual",  "isolation_forest"};
  const auto baseline = fitted(x, Baseline::kRest, {1, names});
  const Named run(x);
  const auto all = ScoredRun::score_held_out(
                       make_design(run.matrix, {.keep_constant = true}).value(), {1, names})
                       .value();
  std::vector<std::size_t> rows(kRows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& kept = baseline.detectors[i];
    EXPECT_EQ(kept.detector->name(), all.name(i));
    EXPECT_EQ(kept.detector->resolution(), all.resolution(i)) << all.name(i);
    EXPECT_THAT(kept.scores, Pointwise(DoubleNear(1e-9), all.reference(i))) << all.name(i);
    EXPECT_TRUE(baseline.usual[i].isApprox(usual_contributions(all, i, rows), 1e-9)) << all.name(i);
  }
  // Counts are compared with limits by the digit.
  EXPECT_EQ(baseline.detectors[1].scores, all.reference(1));
  EXPECT_EQ(baseline.detectors[2].scores, all.reference(2));
}

TEST(FittedBaseline, AWindowAloneScoresAsAmongAThousand) {
  const auto [first, second] = two_runs();
  for (const Baseline kind : {Baseline::kRest, Baseline::kRun}) {
    const auto baseline = fitted(first, kind);
    const auto together = scored(baseline, second);
    for (Index row = 0; row < kRows; row += 11) {
      const auto alone = scored(baseline, second.row(row));
      for (std::size_t i = 0; i < alone.detector_count(); ++i) {
        // One window and many are multiplied in another order (stats/product.h).
        const double score = together.scores(i)(row);
        EXPECT_NEAR(alone.scores(i)(0), score, 1e-13 * score) << alone.name(i) << " row " << row;
      }
    }
  }
}

TEST(FittedBaseline, OfTheWholeRunItIsTheDetectorsThemselves) {
  const MatrixXd x = quiet(4);
  const auto baseline = fitted(x, Baseline::kRun);
  const auto against = scored(baseline, x);
  const auto run = ScoredRun::score(make_design(Named(x).matrix).value(), Baseline::kRun).value();
  for (std::size_t i = 0; i < run.detector_count(); ++i) {
    EXPECT_EQ(against.scores(i), run.scores(i));
    EXPECT_EQ(baseline.detectors[i].scores, run.reference(i));
  }
}

TEST(FittedBaseline, ChannelsAreMatchedByNameWhateverTheirOrder) {
  const auto [first, second] = two_runs();
  const auto baseline = fitted(first);
  MatrixXd moved(kRows, kColumns + 5);
  moved << MatrixXd::Random(kRows, 5), second;
  Named run(moved, -5);
  const auto matched = match(baseline, run.matrix, run.channels).value();
  EXPECT_TRUE(matched.absent.empty());
  EXPECT_EQ(matched.unknown.size(), 5u);
  const auto shifted = ScoredRun::against(baseline.detectors, matched.design);
  EXPECT_EQ(shifted.scores(1), scored(baseline, second).scores(1));
}

// Streaming equals batch: but for the product of matrices, whose sums are of another order.
TEST(WindowScorer, OneByOneTheWindowsScoreAsTogether) {
  auto [first, second] = two_runs();
  SyntheticRun::plant_burst(second, 70, kColumns / 3, 20.0);
  const auto baseline = std::make_shared<const FittedBaseline>(fitted(first));
  const auto together = scored(*baseline, second);
  const auto verdict = judge(together).value();
  const Named run(second);
  WindowScorer scorer(baseline, {});
  int flagged = 0;
  for (Index row = 0; row < second.rows(); ++row) {
    const auto one = scorer.judge(run.matrix, run.channels, static_cast<std::size_t>(row)).value();
    for (std::size_t i = 0; i < one.scores.size(); ++i) {
      const double whole = together.scores(i)(row);
      EXPECT_NEAR(one.scores[i], whole, 1e-12 * whole);
      EXPECT_LE(one.flagged[i], verdict.detectors[i].flagged[static_cast<std::size_t>(row)]);
    }
    flagged += one.agreement >= 2 ? 1 : 0;
    const int most = static_cast<int>(one.scores.size());
    EXPECT_LE(one.agreement, row < 69 || row > 77 ? 1 : most) << row;
  }
  EXPECT_GE(flagged, 5);
}

TEST(FittedBaseline, HasTheDetectorsThatWereNamedAndIsReadBackWithThem) {
  const auto [first, second] = two_runs();
  const Named run(first);
  const FitOptions options{{}, Baseline::kRest, {1, {"isolation_forest", "zscore"}}};
  const auto baseline = fit_baseline(run.matrix, run.channels, options).value();
  const auto read = from_bytes(to_bytes(baseline), "here").value();
  const auto scores = scored(read, second);
  ASSERT_EQ(scores.detector_count(), 2u);
  EXPECT_EQ(scores.name(0), "zscore");
  EXPECT_EQ(scores.name(1), "isolation_forest");
  EXPECT_EQ(scores.scores(1), scored(baseline, second).scores(1));
  EXPECT_EQ(learn(read, match(read, run.matrix, run.channels)->design, {})->detectors.size(), 2u);
}

TEST(WindowScorer, ChannelsThatComeLaterAreTakenIn) {
  const auto [first, second] = two_runs();
  const auto baseline =
      std::make_shared<const FittedBaseline>(fitted(first, Baseline::kRest, {1, {"zscore"}}));
  const Named few(second.leftCols(kColumns - 5));
  const Named all(second);
  WindowScorer scorer(baseline, {});
  const double before = scorer.judge(few.matrix, few.channels, 9)->scores[0];
  const double after = scorer.judge(all.matrix, all.channels, 9)->scores[0];
  EXPECT_NEAR(after, scored(*baseline, second).scores(0)(9), 1e-12);
  EXPECT_LT(before, after);
}

TEST(WindowScorer, RefusesAnotherKindOfHost) {
  const auto [first, second] = two_runs();
  const Named held_out(second, kColumns);
  WindowScorer scorer(std::make_shared<const FittedBaseline>(fitted(first)), {});
  EXPECT_EQ(scorer.judge(held_out.matrix, held_out.channels, 0).error().kind,
            base::ErrorKind::kUsage);
}

TEST(FittedBaseline, ChannelsThatTheRunLacksAreNamedAndCountAsUsual) {
  const auto [first, second] = two_runs();
  const auto baseline = fitted(first);
  const Named run(second.rightCols(kColumns - 2), 2);
  const auto matched = match(baseline, run.matrix, run.channels).value();
  EXPECT_THAT(matched.absent, ElementsAre("c0", "c1"));
  const auto scores = ScoredRun::against(baseline.detectors, matched.design);
  for (std::size_t i = 0; i < scores.detector_count(); ++i) {
    EXPECT_TRUE(scores.scores(i).allFinite());
    EXPECT_EQ(scores.contributions(i, 3).head(2), Eigen::VectorXd::Zero(2));
  }
}

// Of several features a channel, in any order, beside channels that the baseline lacks.
TEST(FittedBaseline, ColumnsAreMatchedByTheNamesOfChannelAndFeature) {
  const auto mean = *feature::find_feature("mean");
  const auto median = *feature::find_feature("median");
  Named run(quiet(5).leftCols(4));  // c0 to c3
  run.matrix = feature::FeatureMatrix();
  const auto add = [&](std::size_t channel, feature::FeatureId feature) {
    return run.matrix.add_column({model::ChannelId(channel), feature});
  };
  add(3, mean);
  const auto median_of_1 = add(1, median);
  const auto mean_of_1 = add(1, mean);
  add(2, mean);
  const auto median_of_0 = add(0, median);
  add(3, median);
  FittedBaseline baseline;
  const std::vector<std::array<std::string, 2>> names{
      {"c1", "mean"}, {"c0", "median"}, {"c1", "median"}, {"c0", "mean"}, {"c1", "mean"}};
  for (const auto& name : names) {
    baseline.columns.push_back({.channel = name[0], .feature = name[1], .scale = 1});
  }
  const auto matched = match_columns(baseline, run.matrix, run.channels).value();
  EXPECT_THAT(matched.design.columns,
              ElementsAre(mean_of_1, median_of_0, median_of_1, kAbsentColumn, mean_of_1));
  EXPECT_THAT(matched.absent, ElementsAre("c0"));
  EXPECT_THAT(matched.unknown, ElementsAre(model::ChannelId(2), model::ChannelId(3)));
}

TEST(FittedBaseline, AnotherKindOfHostIsRefused) {
  const auto baseline = fitted(quiet(5));
  const Named run(quiet(5), kColumns - 20);
  const auto matched = match(baseline, run.matrix, run.channels);
  ASSERT_FALSE(matched);
  EXPECT_EQ(matched.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(matched.error().message(),
              AllOf(HasSubstr("only 20 of the 60 channels"), HasSubstr("c0, c1, c10 and 37 more")));
}

TEST(FittedBaseline, TooShortARunIsRefused) {
  const Named run(quiet(6, 24));
  const auto baseline = fit_baseline(run.matrix, run.channels, {});
  ASSERT_FALSE(baseline);
  EXPECT_EQ(baseline.error().kind, base::ErrorKind::kTooLittle);
}

TEST(FittedBaseline, WhatWasOddIsUsualOnceItIsLearned) {
  const MatrixXd both = quiet(9, 800);
  const MatrixXd first = both.topRows(400);
  MatrixXd second = both.bottomRows(400);
  second.leftCols(15).array() += 12;
  auto baseline = fitted(first);
  baseline.origin.windows = 400;
  const Named run(second);
  const auto matched = match(baseline, run.matrix, run.channels).value();
  const auto learned = learn(baseline, matched.design, {}).value();
  EXPECT_EQ(learned.origin.windows, 800u);
  for (std::size_t i = 0; i < learned.detectors.size(); ++i) {
    EXPECT_EQ(learned.detectors[i].scores.size(), 800u);
    const double before = scored(baseline, second).scores(i).mean();
    EXPECT_LT(scored(learned, second).scores(i).mean(), before) << scored(learned, second).name(i);
  }
  const auto verdict = judge(scored(learned, second)).value();
  for (const int agreement : verdict.agreement) EXPECT_LT(agreement, 2);
}

TEST(FittedBaseline, TooFewWindowsTeachAForestNothing) {
  const MatrixXd both = quiet(9, 500);
  const auto baseline = fitted(both.topRows(400), Baseline::kRest, {.names = {"isolation_forest"}});
  const Named run(both.bottomRows(100));
  const auto matched = match(baseline, run.matrix, run.channels).value();
  const auto learned = learn(baseline, matched.design, {});
  ASSERT_FALSE(learned);
  EXPECT_EQ(learned.error().kind, base::ErrorKind::kTooLittle);
}

TEST(FittedBaseline, AForestOfAWholeRunLearnsFromAnother) {
  const MatrixXd both = quiet(9, 800);
  const auto baseline = fitted(both.topRows(400), Baseline::kRun, {.names = {"isolation_forest"}});
  const Named run(both.bottomRows(400));
  const auto matched = match(baseline, run.matrix, run.channels).value();
  const auto learned = learn(baseline, matched.design, {});
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_EQ(learned->detectors[0].scores.size(), 800u);
}

// A run of a hundred frames of one channel.
model::Fingerprint run_of(std::int64_t first) {
  model::Fingerprint out;
  model::Frame frame;
  frame.resize(1);
  for (int i = 0; i < 100; ++i) {
    frame.wall_ns = first * 1'000'000 + i;
    frame.set_u64(model::ChannelId(0), 7);
    out.add(frame);
  }
  return out;
}

TEST(BaselineOrigin, KnowsItsRunsAgain) {
  BaselineOrigin origin;
  EXPECT_EQ(share_in(run_of(1), origin), 0.0);
  origin.made_of = {run_of(1), run_of(2)};
  EXPECT_EQ(share_in(run_of(1), origin), 1.0);
  EXPECT_EQ(share_in(run_of(2), origin), 1.0);
  EXPECT_EQ(share_in(run_of(3), origin), 0.0);
}

TEST(BaselineFile, ReadBackItScoresTheSame) {
  const auto [first, second] = two_runs();
  auto baseline = fitted(first);
  baseline.origin = {"host", "train.py", "0.1.0", 5, -6, 7, 2, {run_of(1), run_of(2)}, 3};
  baseline.windows = {100, 3000, 1000};
  baseline.dynamic_features = {"mean", "maximum"};
  const auto read = from_bytes(to_bytes(baseline), "file").value();
  EXPECT_EQ(read.origin.command, "train.py");
  EXPECT_EQ(read.origin.end_ns, -6);
  EXPECT_EQ(read.origin.accepted_findings, 3U);
  ASSERT_EQ(read.origin.made_of.size(), 2U);
  EXPECT_EQ(read.origin.made_of[1].hashes(), run_of(2).hashes());
  EXPECT_EQ(read.windows, baseline.windows);
  EXPECT_EQ(read.dynamic_features, baseline.dynamic_features);
  EXPECT_EQ(to_bytes(read), to_bytes(baseline));
  const auto before = scored(baseline, second);
  const auto after = scored(read, second);
  for (std::size_t i = 0; i < before.detector_count(); ++i) {
    EXPECT_EQ(before.scores(i), after.scores(i));
    EXPECT_EQ(before.contributions(i, 9), after.contributions(i, 9));
  }
}

TEST(BaselineFile, WhateverIsCutOffIsRefused) {
  const std::string bytes = to_bytes(fitted(SyntheticRun(7).quiet(60, 4)));
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    const auto read = from_bytes(std::string_view(bytes).substr(0, size), "file");
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().kind, base::ErrorKind::kCorrupt);
  }
}

TEST(BaselineFile, WhateverIsChangedIsRefused) {
  const std::string bytes = to_bytes(fitted(SyntheticRun(7).quiet(60, 4)));
  for (std::size_t i = 0; i < bytes.size(); i += 53) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(from_bytes(changed, "file")) << i;
  }
}

TEST(BaselineFile, AnotherVersionSaysWhich) {
  std::string bytes = to_bytes(fitted(SyntheticRun(7).quiet(60, 4)));
  bytes[8] = 9;
  EXPECT_THAT(from_bytes(bytes, "old.base").error().message(),
              AllOf(HasSubstr("old.base"), HasSubstr("version 9"), HasSubstr("reads version 6")));
}

}  // namespace
}  // namespace reveal::detect
