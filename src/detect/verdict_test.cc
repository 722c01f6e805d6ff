#include "detect/verdict.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

// Judges scores beside one another.
DetectorVerdict judge_own(std::string_view name, const Eigen::VectorXd& scores,
                          const VerdictOptions& options) {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::sort(sorted.begin(), sorted.end());
  return judge_scores(name, scores, {sorted}, options);
}

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::size_t> rows_of(const std::vector<bool>& flagged) {
  std::vector<std::size_t> out;
  for (std::size_t row = 0; row < flagged.size(); ++row) {
    if (flagged[row]) out.push_back(row);
  }
  return out;
}

// Scores between 1 and 2, with others put in from row 50 on.
class Scores {
 public:
  explicit Scores(std::initializer_list<double> planted = {}) : values_(120) {
    for (Eigen::Index i = 0; i < values_.size(); ++i) {
      values_(i) = 1.0 + static_cast<double>(i * 37 % 120) / 120.0;
    }
    Eigen::Index row = 50;
    for (const double score : planted) values_(row++) = score;
  }

  // Median near 1.5, the lowest sixth below 1.16: the alarm limit is near 3.1, the hysteresis limit
  // near 2.3.
  std::vector<std::size_t> flagged(VerdictOptions options = {}) const {
    return rows_of(judge_own("any", values_, options).flagged);
  }
  Eigen::VectorXd& values() { return values_; }

 private:
  Eigen::VectorXd values_;
};

// What good runs do at the same moment raises a window's limit, and a flag does not spread over it.
TEST(JudgeScores, AWindowMayScoreAsHighAsGoodRunsDidAtItsMoment) {
  Reference reference;
  for (int i = 0; i < 300; ++i) reference.sorted.push_back(10 + i * 0.01);
  reference.of_others = true;
  const Eigen::VectorXd scores = (Eigen::VectorXd(4) << 11, 40, 40, 11).finished();
  const auto without = judge_scores("zscore", scores, reference, {});
  EXPECT_EQ(without.flagged, (std::vector<bool>{false, true, true, false}));
  reference.peaks = (Eigen::VectorXd(4) << 0, 45, 39, 0).finished();
  const auto with = judge_scores("zscore", scores, reference, {});
  EXPECT_EQ(with.flagged, (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(with.limits(0), with.alarm_limit);
  EXPECT_EQ(with.limits(1), 45);
  EXPECT_EQ(with.limits(2), 39);
}

TEST(Verdict, NothingBeyondTheThresholdIsNoAnomaly) {
  EXPECT_THAT(Scores().flagged(), IsEmpty());
  EXPECT_THAT(Scores({2.7}).flagged(), IsEmpty());
}

TEST(Verdict, OneWindowBeyondTheThresholdIsFlagged) {
  EXPECT_THAT(Scores({3.5}).flagged(), ElementsAre(50));
}

TEST(Verdict, LongDisturbanceIsNotCutToItsWorstWindows) {
  EXPECT_THAT(Scores({2.6, 4.0, 4.1, 4.2, 4.0, 2.6}).flagged(),
              ElementsAre(50, 51, 52, 53, 54, 55));
}

TEST(Verdict, FlagStopsSpreadingWhereScoresAreWithinReach) {
  EXPECT_THAT(Scores({2.6, 2.0, 9.0, 2.6, 2.0, 2.6}).flagged(), ElementsAre(52, 53));
}

TEST(Verdict, ReachAloneRaisesNoFlag) {
  EXPECT_THAT(Scores({2.6, 2.6, 2.6}).flagged(), IsEmpty());
}

TEST(Verdict, SpreadsToTheFirstAndTheLastRow) {
  Scores scores;
  scores.values().head(2) << 2.6, 4.0;
  scores.values().tail(2) << 4.0, 2.6;
  EXPECT_THAT(scores.flagged(), ElementsAre(0, 1, 118, 119));
}

TEST(Verdict, EqualWorstWindowsAreAllFlagged) {
  EXPECT_THAT(Scores({5.0, 5.0, 5.0}).flagged(), ElementsAre(50, 51, 52));
}

TEST(Verdict, EqualScoresAreNoAnomaly) {
  Scores scores;
  scores.values().setConstant(4.0);
  EXPECT_THAT(scores.flagged(), IsEmpty());
  EXPECT_THAT(scores.flagged({0.01, kThresholdOff}), IsEmpty());
  scores.values()(7) = 5.0;
  EXPECT_THAT(scores.flagged(), ElementsAre(7));
}

TEST(Verdict, WithoutThresholdItIsThePapersPercentile) {
  EXPECT_EQ(Scores().flagged({0.01, kThresholdOff}).size(), 2u);  // 1 % of 120 windows, rounded up
  EXPECT_EQ(Scores().flagged({0.1, kThresholdOff}).size(), 12u);
  const DetectorVerdict verdict = judge_own("any", Scores().values(), {0.01, kThresholdOff});
  EXPECT_TRUE(std::isnan(verdict.alarm_limit));
  EXPECT_TRUE(std::isnan(verdict.hysteresis_limit));
}

TEST(Verdict, ManyDisturbancesDoNotHideOneAnother) {
  Scores scores;
  for (const Eigen::Index row : {10, 30, 50, 70, 90}) scores.values()(row) = 1000;
  scores.values().segment(110, 4).setConstant(4);
  EXPECT_THAT(scores.flagged(), ElementsAre(10, 30, 50, 70, 90, 110, 111, 112, 113));
}

// By hand: limit 3, hysteresis limit 2.
TEST(Silence, WhatSpreadFromSilentRowsIsTakenBackUnlessARowAlarms) {
  DetectorVerdict detector;
  detector.votes = 2;
  detector.judged = (Eigen::VectorXd(8) << 9, 9, 2.5, 2.5, 1, 2.5, 4, 1).finished();
  detector.limits = Eigen::VectorXd::Constant(8, 3.0);
  detector.flagged = {true, true, true, true, false, true, true, false};
  Verdict verdict{{detector}, {2, 2, 2, 2, 0, 2, 2, 0}, {}};
  auto later = verdict;
  silence(verdict, {true, true, false, false, false, false, false, false});
  EXPECT_THAT(verdict.agreement, ElementsAre(0, 0, 0, 0, 0, 2, 2, 0));
  EXPECT_THAT(verdict.detectors[0].flagged,
              ElementsAre(false, false, false, false, false, true, true, false));
  silence(later, {true, true, true, true, true, false, false, false});
  EXPECT_THAT(later.agreement, ElementsAre(0, 0, 0, 0, 0, 2, 2, 0));
}

// Scores of 3 are within reach, but below the alarm limit, that of means is near 2.8.
TEST(JudgeByItself, WhatLastsIsFlaggedAndWhatIsAloneIsNot) {
  Scores scores({3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0});
  scores.values()(100) = 3.0;
  EXPECT_THAT(scores.flagged(), IsEmpty());
  const auto verdict = judge_by_itself("any", scores.values(), {.neighbors = 3});
  EXPECT_THAT(rows_of(verdict.flagged), ElementsAre(50, 51, 52, 53, 54, 55, 56));
}

// Nothing was recorded before row 53. What three windows before it alone do not say, the four after
// it do not say for them, and the other way round.
TEST(JudgeByItself, NothingReachesOverAGap) {
  Scores scores({3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0});
  VerdictOptions options{.neighbors = 3, .stretches = {0, 53}};
  EXPECT_THAT(rows_of(judge_by_itself("any", scores.values(), options).flagged),
              ElementsAre(53, 54, 55, 56));
  options.stretches = {54};
  EXPECT_THAT(rows_of(judge_by_itself("any", scores.values(), options).flagged),
              ElementsAre(50, 51, 52, 53));
}

TEST(JudgeScores, AFlagDoesNotSpreadOverAGap) {
  const Scores scores({3.5, 2.6, 2.6});
  EXPECT_THAT(scores.flagged(), ElementsAre(50, 51, 52));
  EXPECT_THAT(scores.flagged({.stretches = {52}}), ElementsAre(50, 51));
}

// Three disturbances of six seconds in a minute, the last a third as strong as the others: with
// their neighbors they fill four fifths of it.
TEST(JudgeByItself, ByCalmRowsStrongDisturbancesHideNoWeakerOne) {
  Eigen::VectorXd scores(54);
  for (Eigen::Index row = 0; row < scores.size(); ++row)
    scores(row) = 0.1 * static_cast<double>(row % 7);
  scores.segment(14, 8).setConstant(9.0);
  scores.segment(41, 8).setConstant(9.0);
  scores.segment(28, 7) << 1.4, 2.5, 3.3, 3.3, 3.3, 2.8, 1.7;
  VerdictOptions options{.neighbors = 3, .resolution = 0.2};
  EXPECT_FALSE(judge_by_itself("any", scores, options).flagged[31]);
  options.by_calm = true;
  const auto verdict = judge_by_itself("any", scores, options);
  EXPECT_TRUE(verdict.flagged[31]);
  EXPECT_FALSE(verdict.flagged[26]);
  EXPECT_FALSE(verdict.flagged[37]);
}

// Scores of saturation on a real server of 56 s that three programs disturbed, one after another
// for 6 s each: with their neighbors they fill four fifths of the run, and the limit by all rows
// is 8.6.
TEST(JudgeByItself, ByCalmRowsDisturbancesThatFillARunDoNotHideOneAnother) {
  Eigen::VectorXd scores(54);
  scores << 0.06, 0, 0, 0.06, 0.06, 0.06, 0, 0, 0, 0.03, 0.19, 0.35, 1.44, 4.51, 7.36, 9.19, 9.15,
      8.89, 9.16, 6.33, 3.46, 0.19, 0.07, 0, 0, 0, 0, 0.33, 1.44, 2.56, 3.33, 4.21, 3.85, 3.33, 3,
      1.89, 0.78, 0.06, 0.06, 0.03, 0.01, 2, 5.75, 9.15, 10.54, 10.18, 10.53, 8.32, 4.93, 1.19,
      0.03, 0.1, 0.13, 0.13;
  VerdictOptions options{.neighbors = 3, .resolution = 0.2};
  EXPECT_THAT(judge_by_itself("any", scores, options).flagged, Each(false));
  options.by_calm = true;
  const auto verdict = judge_by_itself("any", scores, options);
  for (const std::size_t row : {15u, 31u, 45u}) EXPECT_TRUE(verdict.flagged[row]) << row;
  for (const std::size_t row : {8u, 24u, 39u, 52u}) EXPECT_FALSE(verdict.flagged[row]) << row;
}

// Half of the run is one phase of the job, no higher than what the limit allows for.
TEST(JudgeByItself, ByCalmRowsWhatIsRaisedHalfOfTheTimeByAHalfIsUsual) {
  Eigen::VectorXd scores(60);
  for (Eigen::Index row = 0; row < scores.size(); ++row)
    scores(row) = 1 + 0.1 * static_cast<double>(row % 7) + (row / 10 % 2 == 0 ? 0 : 0.5);
  const auto verdict =
      judge_by_itself("any", scores, {.neighbors = 3, .resolution = 0.2, .by_calm = true});
  EXPECT_THAT(verdict.flagged, Each(false));
}

TEST(JudgeByItself, ByCalmRowsARunInWhichNothingIsFlaggedIsJudgedAsBefore) {
  const Eigen::VectorXd scores = Scores({}).values();
  const auto before = judge_by_itself("any", scores, {.neighbors = 3});
  const auto verdict = judge_by_itself("any", scores, {.neighbors = 3, .by_calm = true});
  EXPECT_EQ(verdict.alarm_limit, before.alarm_limit);
  EXPECT_EQ(verdict.flagged, before.flagged);
}

TEST(JudgeByItself, WithoutNeighborsOrThresholdItJudgesScores) {
  const Eigen::VectorXd scores = Scores({3.5, 2.6}).values();
  for (const VerdictOptions& options : {VerdictOptions{}, VerdictOptions{0.05, kThresholdOff, 3}}) {
    const auto verdict = judge_by_itself("any", scores, options);
    EXPECT_EQ(verdict.flagged, judge_own("any", scores, options).flagged);
  }
}

TEST(Verdict, QuantileIsTheShareThatScoresNoHigher) {
  Eigen::VectorXd scores(5);
  scores << 3.0, 1.0, 2.0, 3.0, 9.0;
  const auto verdict = judge_own("any", scores, {});
  EXPECT_THAT(std::vector<double>(verdict.quantiles.begin(), verdict.quantiles.end()),
              ElementsAre(0.8, 0.2, 0.4, 0.8, 1.0));
}

TEST(Verdict, AgreementCountsVotes) {
  Eigen::MatrixXd x = SyntheticRun(1).quiet(120, 60);
  SyntheticRun::plant_burst(x, 40, 40, 20.0);
  const auto design =
      make_design(to_feature_matrix(x), {.least_rises = std::vector<double>(60, 1.0)});
  const Verdict verdict = judge(*ScoredRun::score(*design, Baseline::kRest)).value();
  ASSERT_EQ(verdict.detectors.front().name, "saturation");
  EXPECT_EQ(verdict.detectors.front().votes, 2);
  for (std::size_t row = 0; row < verdict.agreement.size(); ++row) {
    int expected = 0;
    for (const auto& detector : verdict.detectors)
      expected += detector.votes * detector.flagged[row];
    EXPECT_EQ(verdict.agreement[row], expected);
  }
  EXPECT_EQ(verdict.agreement[43], 6);
}

TEST(Verdict, AgreementCountsDetectors) {
  Eigen::MatrixXd x = SyntheticRun(1).quiet(120, 60);
  SyntheticRun::plant_burst(x, 40, 40, 20.0);
  const Design design = to_design(x);
  const Verdict verdict = judge(*ScoredRun::score(design, Baseline::kRun)).value();
  ASSERT_EQ(verdict.detectors.size(), kUsualDetectors.size() - 2)
      << "no saturation signals, no held-out windows";
  for (std::size_t row = 0; row < verdict.agreement.size(); ++row) {
    int expected = 0;
    for (const auto& detector : verdict.detectors) expected += detector.flagged[row];
    EXPECT_EQ(verdict.agreement[row], expected);
  }
  EXPECT_EQ(
      judge(*ScoredRun::score(design, Baseline::kRun), {0.6, Threshold::fixed(3.0)}).error().kind,
      base::ErrorKind::kUsage);
}

// How many of the windows two detectors flag.
struct Agreed {
  Eigen::Index windows = 0;
  Eigen::Index in_burst = 0;
};

constexpr Eigen::Index kBurst = 30;  // its first window

Agreed agreed(const Eigen::MatrixXd& x) {
  const Design design = to_design(x);
  const Verdict verdict =
      judge(*ScoredRun::score(design, Baseline::kRest), {.neighbors = 3}).value();
  Agreed out;
  for (std::size_t row = 0; row < verdict.agreement.size(); ++row) {
    if (verdict.agreement[row] < 2) continue;
    ++out.windows;
    if (row >= kBurst && row < kBurst + 7) ++out.in_burst;
  }
  return out;
}

// The experiment below has fixed seeds; docs/scores.md tells its outcome. Of quiet runs there are
// so many that they have a program of their own, tests/alarms.
struct BurstCase {
  Eigen::Index windows;
  Eigen::Index columns;  // of 300
  double height;
};

class HonestAlarmsBurst : public ::testing::TestWithParam<BurstCase> {};

TEST_P(HonestAlarmsBurst, IsFlaggedByTwoDetectors) {
  const auto [windows, columns, height] = GetParam();
  Eigen::Index flagged = 0;
  Eigen::Index elsewhere = 0;
  constexpr int kRuns = 10;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    Eigen::MatrixXd x = SyntheticRun(seed).quiet(windows, 300);
    SyntheticRun::plant_burst(x, kBurst, columns, height);
    const Agreed out = agreed(x);
    flagged += out.in_burst;
    elsewhere += out.windows - out.in_burst;
  }
  RecordProperty("flagged_of_70", static_cast<int>(flagged));
  RecordProperty("elsewhere", static_cast<int>(elsewhere));
  EXPECT_GE(flagged, kRuns * 5) << "the 5 windows that the burst fills by two thirds or more";
  EXPECT_LE(elsewhere, 2 * kRuns) << "windows beside the burst that are high by chance";
}

INSTANTIATE_TEST_SUITE_P(Sizes, HonestAlarmsBurst,
                         ::testing::Values(BurstCase{60, 60, 20.0}, BurstCase{120, 30, 20.0},
                                           BurstCase{300, 30, 20.0}));

// By hand: of 0 to 19 the 99 % quantile is 18.81; with 19.5, 30 and 5 it is 19.5 + 0.78 * 10.5.
TEST(JudgeByPast, LooksAtWhatWasBeforeAlone) {
  Eigen::VectorXd scores(25);
  for (Eigen::Index i = 0; i < 20; ++i) scores(i) = static_cast<double>(19 - i);
  scores.tail(5) << 19.5, 30, 5, 27, 31;
  const auto verdict = judge_by_past("any", scores, 20, {0.01, kThresholdOff});
  const std::vector<bool> tail(verdict.flagged.end() - 5, verdict.flagged.end());
  EXPECT_EQ(tail, (std::vector<bool>{true, true, false, false, true}));
  EXPECT_EQ(std::count(verdict.flagged.begin(), verdict.flagged.end(), true), 3);
  EXPECT_NEAR(verdict.limits(20), 18.81, 1e-12);
  EXPECT_EQ(verdict.quantiles(20), 1.0);
  EXPECT_NEAR(verdict.quantiles(22), 6.0 / 22, 1e-12);  // 0 to 5 are no higher
}

TEST(JudgeByPast, TheFutureChangesNothing) {
  Eigen::VectorXd scores = SyntheticRun(3).noise(200, 1).col(0).cwiseAbs();
  const auto before = judge_by_past("any", scores, 30, {});
  scores.tail(80).array() *= 50;
  const auto after = judge_by_past("any", scores, 30, {});
  for (std::size_t i = 0; i < 120; ++i) EXPECT_EQ(before.flagged[i], after.flagged[i]) << i;
  EXPECT_EQ(before.limits.head(120), after.limits.head(120));
}

}  // namespace
}  // namespace reveal::detect
