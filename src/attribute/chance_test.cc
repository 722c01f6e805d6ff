#include "attribute/chance.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "detect/scored_run.h"
#include "detect/testing/synthetic_run.h"

namespace reveal::attribute {
namespace {

detect::DetectorVerdict verdict_of(std::string_view name, int votes, std::vector<double> judged,
                                   double limit) {
  detect::DetectorVerdict out;
  out.name = name;
  out.votes = votes;
  out.judged = Eigen::Map<Eigen::VectorXd>(judged.data(), static_cast<Eigen::Index>(judged.size()));
  out.scores = out.judged;
  out.limits = Eigen::VectorXd::Constant(out.judged.size(), limit);
  out.hysteresis_limit = limit / 2;
  return out;
}

TEST(Strengths, AreThoseOfTheVotesThatAreAsked) {
  detect::Verdict verdict;
  verdict.detectors = {verdict_of("a", 1, {1, 4}, 2), verdict_of("b", 1, {9, 3}, 3)};
  verdict.agreement = {0, 0};
  EXPECT_EQ(strengths(verdict, 1, {}), (std::vector<double>{3, 2}));
  EXPECT_EQ(strengths(verdict, 2, {}), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(strengths(verdict, 3, {}), (std::vector<double>{0, 0}));
}

TEST(Strengths, AreNoMoreThanTwiceWhatIsStalled) {
  detect::Verdict verdict;
  verdict.detectors = {verdict_of("a", 2, {6, 6, 6}, 2), verdict_of("waits", 2, {0, 1, 20}, 4)};
  verdict.agreement = {0, 0, 0};
  EXPECT_EQ(strengths(verdict, 2, 1), (std::vector<double>{0, 0.5, 5}));
}

// Disturbances of two windows each, one like the other, as strong as an exponential distribution
// has them, with calm between them.
std::vector<double> pairs(double scale, int count) {
  base::Rng rng(11);
  std::vector<double> out;
  for (int i = 0; i < count; ++i) {
    const double strength = -scale * std::log1p(-rng.uniform());
    for (const double one : {strength, strength, 0.0, 0.0}) out.push_back(one);
  }
  return out;
}

TEST(Chance, IsCountedInGroupsOfWindows) {
  const auto strengths = pairs(0.1, 5000);
  const auto chance = Chance::learn(strengths, std::vector<bool>(strengths.size(), true));
  ASSERT_TRUE(chance);
  // 5,000 groups, of which one in e^10 is as strong as 1; scales of some 2,000 values vary by 2 %.
  EXPECT_NEAR(std::log(chance->findings(1)), std::log(5000) - 10, 0.5);
  EXPECT_NEAR(std::log(chance->findings(1) / chance->findings(1.5)), 5, 0.3);
}

TEST(Chance, OfWeakerThanAnAlarmIsThatOfAnAlarm) {
  const auto strengths = pairs(0.1, 500);
  const auto chance = Chance::learn(strengths, std::vector<bool>(strengths.size(), true));
  ASSERT_TRUE(chance);
  EXPECT_EQ(chance->findings(0.3), chance->findings(1));
}

TEST(Chance, IsLearnedFromCalmWindowsAlone) {
  auto strengths = pairs(0.1, 500);
  std::vector<bool> calm(strengths.size(), true);
  const auto before = Chance::learn(strengths, calm);
  for (std::size_t row = 100; row < 200; ++row) {
    strengths[row] = 0.9;
    calm[row] = false;
  }
  const auto after = Chance::learn(strengths, calm);
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(std::log(after->findings(1)), std::log(before->findings(1)), 1);
}

TEST(Chance, IsNotKnownWhereLittleIsCalm) {
  const auto strengths = pairs(0.1, 500);
  std::vector<bool> calm(strengths.size(), false);
  EXPECT_FALSE(Chance::learn(strengths, calm));
  for (std::size_t row = 0; row < 12; ++row) calm[row] = true;
  EXPECT_FALSE(Chance::learn(strengths, calm));
  EXPECT_FALSE(Chance::learn(std::vector<double>(100, 0.0), std::vector<bool>(100, true)));
}

// Groups of windows with two votes, and how many were expected by the windows beside them.
struct Counted {
  double groups = 0;
  double expected = 0;
  int silent_runs = 0;  // in which nothing is expected, for nothing is known
};

void count(const detect::Verdict& verdict, Counted& out) {
  constexpr std::size_t kBeside = 3;
  const std::size_t rows = verdict.agreement.size();
  std::vector<bool> calm(rows, true);
  for (std::size_t row = 0; row < rows; ++row) {
    if (verdict.agreement[row] < 2) continue;
    bool is_new = true;
    for (std::size_t i = row - std::min(row, kBeside); i < row; ++i) {
      is_new = is_new && verdict.agreement[i] < 2;
    }
    out.groups += is_new ? 1 : 0;
    for (std::size_t i = row - std::min(row, kBeside); i < std::min(row + kBeside + 1, rows); ++i) {
      calm[i] = false;
    }
  }
  const auto chance = Chance::learn(strengths(verdict, 2, {}), calm);
  if (chance) {
    out.expected += chance->findings(1);
  } else {
    ++out.silent_runs;
  }
}

// With a threshold so low that quiet runs have many false findings, as many are expected as there
// are.
TEST(Chance, ExpectsAsManyFindingsOfQuietRunsAsTheyHave) {
  Counted counted;
  constexpr std::uint64_t kRuns = 60;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto design = detect::to_design(detect::SyntheticRun(seed).quiet(150, 100));
    const auto run = detect::ScoredRun::score(design, detect::Baseline::kRest);
    ASSERT_TRUE(run);
    const auto verdict =
        detect::judge(*run, {.threshold = detect::Threshold::fixed(1.6), .neighbors = 3});
    ASSERT_TRUE(verdict);
    count(*verdict, counted);
  }
  RecordProperty("found", static_cast<int>(counted.groups));
  RecordProperty("expected", std::to_string(counted.expected));
  RecordProperty("unknown", counted.silent_runs);
  EXPECT_GE(counted.groups, 15);
  EXPECT_GT(counted.expected, counted.groups / 2);
  EXPECT_LT(counted.expected, counted.groups * 2);
  EXPECT_LE(counted.silent_runs, 6);
}

}  // namespace
}  // namespace reveal::attribute
