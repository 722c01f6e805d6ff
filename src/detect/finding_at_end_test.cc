#include "detect/finding_at_end.h"

#include <gtest/gtest.h>

#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

constexpr Eigen::Index kWindows = 60;
constexpr Eigen::Index kColumns = 100;
constexpr Eigen::Index kHit = 30;  // columns

std::size_t at_end(const Eigen::MatrixXd& x) {
  const auto run = ScoredRun::score_held_out(to_design(x), {}, {.folds = 5}).value();
  return windows_in_finding_at_end(run, {.verdict = {.neighbors = 3}, .tells_stalls = false});
}

// What lasts from `first` to the end raises a fifth of the columns.
Eigen::MatrixXd raised_from(Eigen::Index first, std::uint64_t seed) {
  Eigen::MatrixXd x = SyntheticRun(seed).quiet(kWindows, kColumns);
  x.bottomLeftCorner(kWindows - first, kHit).array() += 20;
  return x;
}

TEST(FindingAtEnd, IsNoneInAQuietRun) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(at_end(SyntheticRun(seed).quiet(kWindows, kColumns)), 0U) << seed;
  }
}

TEST(FindingAtEnd, IsWhatBeganBeforeItAndGoesOn) {
  for (const Eigen::Index lasts : {4, 7, 12}) {
    const auto found = at_end(raised_from(kWindows - lasts, 7));
    EXPECT_GE(found, static_cast<std::size_t>(lasts)) << lasts;
    EXPECT_LE(found, static_cast<std::size_t>(lasts) + 6) << lasts;  // what shares samples with it
  }
}

TEST(FindingAtEnd, IsNoneIfItIsOver) {
  Eigen::MatrixXd x = SyntheticRun(7).quiet(kWindows, kColumns);
  SyntheticRun::plant_burst(x, 40, kHit, 20);
  EXPECT_EQ(at_end(x), 0U);
}

// Of two such runs the one in which something waits ends in a finding. The first column is one that
// tells of it.
TEST(FindingAtEnd, IsNoneIfNothingWasStalled) {
  for (const bool waits : {false, true}) {
    Eigen::MatrixXd x = raised_from(kWindows - 8, 7);
    x.col(0) = Eigen::VectorXd::Constant(kWindows, 1) + 0.01 * SyntheticRun(8).noise(kWindows, 1);
    if (waits) x.col(0).tail(8).array() += 5;
    std::vector<double> least(static_cast<std::size_t>(kColumns), 0);
    least[0] = 1;
    const auto design = make_design(to_feature_matrix(x), {.least_rises = least}).value();
    const auto run = ScoredRun::score_held_out(design, {}, {.folds = 5}).value();
    const FindingOptions options{.verdict = {.neighbors = 3}};
    EXPECT_EQ(windows_in_finding_at_end(run, options) > 0, waits);
  }
}

}  // namespace
}  // namespace reveal::detect
