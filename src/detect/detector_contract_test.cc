// What every detector of the registry owes, looped over the registry so that a new one is tested
// without being mentioned.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "detect/detector.h"
#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

constexpr Eigen::Index kRows = 120;
constexpr Eigen::Index kColumns = 40;
constexpr Eigen::Index kOdd = 77;  // the planted window

Eigen::MatrixXd quiet(std::uint64_t seed = 5) {
  return SyntheticRun(seed).quiet(kRows, kColumns);
}

class DetectorContract : public ::testing::TestWithParam<DetectorDescriptor> {
 protected:
  static std::unique_ptr<Detector> fitted(const Design& design, std::uint64_t seed = 1) {
    auto detector = GetParam().make({seed});
    EXPECT_TRUE(detector->fit(design.x));
    return detector;
  }
  static Eigen::Index most(const Eigen::VectorXd& values) {
    Eigen::Index index = 0;
    values.maxCoeff(&index);
    return index;
  }
};

// What is looked at, and what the detector is fitted on: the same, or what it was without the
// disturbance if it needs held-out windows.
struct Watched {
  Design design;
  Eigen::MatrixXd x;
  explicit Watched(const Eigen::MatrixXd& samples, bool held_out)
      : design(to_design(held_out ? quiet() : samples)),
        x(project(to_feature_matrix(samples), design)) {}
};

TEST_P(DetectorContract, SaysItsNameInTheRegistry) {
  EXPECT_EQ(GetParam().make({})->name(), GetParam().name);
  EXPECT_FALSE(GetParam().label.empty());
  EXPECT_FALSE(GetParam().help.empty());
}

TEST_P(DetectorContract, SameSeedSameScores) {
  const Design design = to_design(quiet());
  const auto a = fitted(design, 9)->score(design.x);
  EXPECT_TRUE((a.array() == fitted(design, 9)->score(design.x).array()).all());
}

TEST_P(DetectorContract, ScoresAreFiniteAndNotNegative) {
  Eigen::MatrixXd x = quiet();
  x.col(3) *= 1e100;
  x.col(4) *= 1e-100;
  const Design design = to_design(x);
  const auto scores = fitted(design)->score(design.x);
  ASSERT_EQ(scores.size(), kRows);
  EXPECT_TRUE(scores.allFinite());
  EXPECT_GE(scores.minCoeff(), 0.0);
}

TEST_P(DetectorContract, PlantedWindowScoresHighest) {
  Eigen::MatrixXd x = quiet();
  x.row(kOdd).head(10).array() += 30.0;
  const Watched watched(x, GetParam().needs_held_out);
  EXPECT_EQ(most(fitted(watched.design)->score(watched.x)), kOdd);
}

TEST_P(DetectorContract, ContributionsSingleOutThePlantedColumn) {
  Eigen::MatrixXd x = quiet();
  x(kOdd, 21) += 60.0;
  const Watched watched(x, GetParam().needs_held_out);
  const auto parts = fitted(watched.design)->contributions(watched.x, kOdd);
  ASSERT_EQ(parts.size(), watched.x.cols());
  EXPECT_TRUE(parts.allFinite());
  EXPECT_EQ(most(parts), 21);
}

TEST_P(DetectorContract, OneFitScoresOtherWindows) {
  const Eigen::MatrixXd x = quiet();
  const Design design = to_design(x);
  Eigen::MatrixXd other = x.topRows(3);
  other.row(1).array() += 100.0;
  const auto detector = fitted(design);
  const auto scores = detector->score(project(to_feature_matrix(other), design));
  const auto own = detector->score(design.x);
  ASSERT_EQ(scores.size(), 3);
  EXPECT_NEAR(scores(0), own(0), 1e-9);
  EXPECT_NEAR(scores(2), own(2), 1e-9);
  EXPECT_GT(scores(1), own.maxCoeff());
}

TEST_P(DetectorContract, FitsOneColumn) {
  const Design design = to_design(quiet().leftCols(1));
  EXPECT_TRUE(fitted(design)->score(design.x).allFinite());
}

TEST_P(DetectorContract, TellsTooLittle) {
  Design few = to_design(quiet());
  few.x.conservativeResize(kMinWindows - 1, Eigen::NoChange);
  Design narrow;
  narrow.x.resize(kRows, 0);
  for (const auto& design : {few, narrow}) {
    const auto failed = GetParam().make({})->fit(design.x);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().kind, base::ErrorKind::kTooLittle);
  }
}

TEST_P(DetectorContract, PartsSumToTheScoreLessAnOrdinaryOne) {
  const Design design = to_design(quiet());
  const auto detector = fitted(design);
  const auto scores = detector->score(design.x);
  for (Eigen::Index row = 0; row < kRows; row += 7) {
    EXPECT_NEAR(detector->contributions(design.x, row).sum(),
                scores(row) - GetParam().ordinary_score, 1e-9);
  }
}

TEST_P(DetectorContract, ScoresTheSameWhenItIsReadBack) {
  const Design design = to_design(quiet());
  const auto detector = fitted(design);
  StateWriter out;
  detector->save(out);
  StateReader in(out.bytes());
  const auto read = GetParam().make({});
  read->load(in, kColumns);
  EXPECT_TRUE(in.done());
  EXPECT_EQ(read->score(design.x), detector->score(design.x));
  EXPECT_EQ(read->contributions(design.x, kOdd), detector->contributions(design.x, kOdd));
}

TEST_P(DetectorContract, RefusesAStateThatIsCutOffOrOfOtherColumns) {
  StateWriter out;
  fitted(to_design(quiet()))->save(out);
  const auto accepts = [&](std::size_t size, Eigen::Index columns) {
    StateReader in(std::string_view(out.bytes()).substr(0, size));
    GetParam().make({})->load(in, columns);
    return in.done();
  };
  EXPECT_TRUE(accepts(out.bytes().size(), kColumns));
  EXPECT_FALSE(accepts(out.bytes().size(), 3));
  for (std::size_t size = 0; size < out.bytes().size(); size += 211) {
    EXPECT_FALSE(accepts(size, kColumns)) << size;
  }
}

// Windows that were odd are less so once many like them are known.
TEST_P(DetectorContract, WhatIsLearnedBecomesUsualOrIsRefused) {
  Eigen::MatrixXd x = quiet();
  x.bottomRows(40).leftCols(10).array() += 8;
  const Design known = to_design(x.topRows(80));
  const auto detector = fitted(known);
  const Eigen::MatrixXd odd = project(to_feature_matrix(x.bottomRows(1)), known);
  const double before = detector->score(odd)(0);
  const bool learned = detector->update(project(to_feature_matrix(x.middleRows(80, 39)), known));
  const double after = detector->score(odd)(0);
  if (learned) {
    EXPECT_LT(after, 0.8 * before);
  } else {
    EXPECT_EQ(after, before);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, DetectorContract,
                         ::testing::ValuesIn(registry().begin(), registry().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(DetectorRegistry, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const auto& row : registry()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(DetectorRegistry, FindsEachDetectorByItsName) {
  for (std::size_t i = 0; i < registry().size(); ++i) {
    EXPECT_EQ(find_detector(registry()[i].name), i);
  }
  EXPECT_EQ(find_detector(""), std::nullopt);
  EXPECT_EQ(find_detector("zscores"), std::nullopt);
}

}  // namespace
}  // namespace reveal::detect
