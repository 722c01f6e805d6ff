// What every detector of the registry owes when a run is scored, with either baseline: looped over
// the registry, so that a new detector is tested without being mentioned.
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "detect/isolation_forest.h"
#include "detect/scored_run.h"
#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

constexpr Eigen::Index kRows = 120;
constexpr Eigen::Index kColumns = 200;
constexpr Eigen::Index kLifted = kColumns * 15 / 100;  // columns that a disturbance lifts
constexpr Eigen::Index kFirst = 62;                    // its first window

class ScoredRunContract
    : public ::testing::TestWithParam<std::tuple<DetectorDescriptor, Baseline>> {
 protected:
  static constexpr std::size_t kDetector = 0;  // the only one that votes
  ScoredRun scored(const Eigen::MatrixXd& x, std::uint64_t seed = 1) const {
    const auto& [descriptor, baseline] = GetParam();
    const bool signals_only = descriptor.make({})->sees_saturation();
    const auto rises = std::vector<double>(signals_only ? kColumns : 0, 1.0);
    auto design = make_design(to_feature_matrix(x), {.least_rises = rises}).value();
    auto run = ScoredRun::score(std::move(design), baseline, {seed, {std::string(descriptor.name)}})
                   .value();
    EXPECT_EQ(run.baseline(), baseline);
    EXPECT_EQ(run.name(kDetector), descriptor.name);
    return run;
  }
  Eigen::VectorXd scores(const Eigen::MatrixXd& x, std::uint64_t seed = 1) const {
    return scored(x, seed).scores(kDetector);
  }
  static Eigen::MatrixXd quiet(std::uint64_t seed = 21) {
    return SyntheticRun(seed).quiet(kRows, kColumns);
  }
  // A disturbance that the baseline can show: one window if the run is its own baseline, which a
  // longer one would become part of (docs/scores.md), and one of 5 s if the rest is. Returns how
  // many windows it touches.
  Eigen::Index plant(Eigen::MatrixXd& x) const {
    if (std::get<1>(GetParam()) == Baseline::kRest) {
      SyntheticRun::plant_burst(x, kFirst, kLifted, 20.0);
      return 7;
    }
    x.row(kFirst).head(kLifted).array() += 20.0;
    return 1;
  }
};

TEST_P(ScoredRunContract, SameSeedSameScores) {
  const Eigen::MatrixXd x = quiet();
  EXPECT_EQ(scores(x, 9), scores(x, 9));
}

TEST_P(ScoredRunContract, ScoresAreFiniteAndNotNegativeWhateverTheUnits) {
  Eigen::MatrixXd x = quiet();
  x.col(3) *= 1e100;
  x.col(4) *= 1e-100;
  x.col(5).setConstant(7.0);
  x(kFirst, 5) = 8.0;  // still everywhere else
  x.col(6).head(kRows / 3).setConstant(std::nan(""));
  const auto out = scores(x);
  ASSERT_EQ(out.size(), kRows);
  EXPECT_TRUE(out.allFinite());
  EXPECT_GE(out.minCoeff(), 0.0);
}

TEST_P(ScoredRunContract, PlantedDisturbanceRanksTop) {
  for (const std::uint64_t seed : {21u, 22u, 23u}) {
    Eigen::MatrixXd x = quiet(seed);
    const Eigen::Index windows = plant(x);
    Eigen::Index top = 0;
    scores(x).maxCoeff(&top);
    EXPECT_GE(top, kFirst) << "seed " << seed;
    EXPECT_LT(top, kFirst + windows) << "seed " << seed;
  }
}

TEST_P(ScoredRunContract, PartsAreFiniteAndMostOfThemThePlantedColumns) {
  Eigen::MatrixXd x = quiet();
  const Eigen::Index middle = kFirst + plant(x) / 2;
  const auto parts = scored(x).contributions(kDetector, middle);
  ASSERT_EQ(parts.size(), kColumns);
  EXPECT_TRUE(parts.allFinite());
  EXPECT_GT(parts.head(kLifted).sum(), 0.5 * parts.cwiseMax(0.0).sum());
}

TEST_P(ScoredRunContract, PartsSumToTheScoreLessAnOrdinaryOne) {
  const auto run = scored(quiet());
  const double ordinary = std::get<0>(GetParam()).ordinary_score;
  for (Eigen::Index window = 0; window < kRows; window += 7) {
    const double sum = run.contributions(kDetector, window).sum();
    EXPECT_NEAR(sum, run.scores(kDetector)(window) - ordinary, 1e-9) << "window " << window;
  }
}

std::string readable(const ::testing::TestParamInfo<ScoredRunContract::ParamType>& row) {
  const char* baseline = std::get<1>(row.param) == Baseline::kRun ? "run" : "rest";
  return std::string(std::get<0>(row.param).name) + "_against_the_" + baseline;
}

// Every detector with every baseline that it can see.
std::vector<ScoredRunContract::ParamType> all() {
  std::vector<ScoredRunContract::ParamType> out;
  for (const auto& descriptor : registry()) {
    if (!descriptor.needs_held_out) out.emplace_back(descriptor, Baseline::kRun);
    out.emplace_back(descriptor, Baseline::kRest);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Registry, ScoredRunContract, ::testing::ValuesIn(all()), readable);

}  // namespace
}  // namespace reveal::detect
