#include "detect/isolation_forest.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "detect/isolation_tree_grower.h"
#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

IsolationForest fitted(const Design& design, std::uint64_t seed = 1) {
  IsolationForest forest({seed});
  EXPECT_TRUE(forest.fit(design.x));
  return forest;
}

TEST(AveragePathLength, FollowsThePaper) {
  EXPECT_EQ(average_path_length(0), 0.0);
  EXPECT_EQ(average_path_length(1), 0.0);
  EXPECT_EQ(average_path_length(2), 1.0);
  // Computed with 30 decimal digits.
  EXPECT_NEAR(average_path_length(3), 1.2073923575896228, 1e-12);
  EXPECT_NEAR(average_path_length(256), 10.2447709201199180, 1e-12);
}

// A tree by hand: column 1 at 0.5; left a leaf of 3, right column 0 at 2 with leaves of 1 and 1.
IsolationTree hand_made() {
  return {{1, -1, 0, -1, -1},
          {0.5, 0, 2.0, 0, 0},
          {1, -1, 3, -1, -1},
          {2, -1, 4, -1, -1},
          {5, 3, 2, 1, 1}};
}

TEST(IsolationForest, ScoresATreeMadeByHand) {
  const IsolationForest forest({hand_made()}, 5);
  Design design;
  design.x.resize(2, 2);
  design.x << 9.0, 0.5, 9.0, 0.6;
  const auto scores = forest.score(design.x);
  EXPECT_NEAR(scores(0), std::exp2(-(1 + average_path_length(3)) / average_path_length(5)), 1e-15);
  EXPECT_NEAR(scores(1), std::exp2(-2 / average_path_length(5)), 1e-15);
  // What the second window's two steps shorten its path by, and their share in its score.
  const double by_1 = average_path_length(5) - average_path_length(2) - 1;
  const double by_0 = average_path_length(2) - average_path_length(1) - 1;
  const auto parts = forest.contributions(design.x, 1);
  EXPECT_NEAR(parts(1), by_1 / (by_0 + by_1) * (scores(1) - 0.5), 1e-15);
  EXPECT_NEAR(parts(0), by_0 / (by_0 + by_1) * (scores(1) - 0.5), 1e-15);
}

TEST(IsolationForest, LearnsAsManyTreesAsThereAreNewWindowsAmongAll) {
  const Design first = to_design(SyntheticRun(41).quiet(300, 20));
  Design more = first;
  more.x = SyntheticRun(42).quiet(100, 20);
  IsolationForest forest = fitted(first);
  EXPECT_FALSE(forest.update(more.x));  // a tree takes 256
  more.x = SyntheticRun(42).quiet(300, 20);
  const auto before = forest.trees();
  ASSERT_TRUE(forest.update(more.x));
  ASSERT_EQ(forest.trees().size(), before.size());
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(forest.trees()[i].threshold, before[i + 50].threshold);
    EXPECT_NE(forest.trees()[i + 50].threshold, before[i + 50].threshold);
  }
}

TEST(IsolationForest, APathOfTheExpectedLengthIsNobodysDoing) {
  IsolationTree leaf{{-1}, {0.0}, {-1}, {-1}, {5}};
  const IsolationForest forest({leaf}, 5);
  Design design;
  design.x = Eigen::MatrixXd::Zero(1, 3);
  EXPECT_NEAR(forest.score(design.x)(0), 0.5, 1e-15);
  EXPECT_EQ(forest.contributions(design.x, 0), Eigen::VectorXd::Zero(3));
}

TEST(IsolationForest, ScoresLieInTheUnitInterval) {
  const Design design = to_design(SyntheticRun(12).quiet(100, 20));
  const auto scores = fitted(design).score(design.x);
  EXPECT_GT(scores.minCoeff(), 0.0);
  EXPECT_LE(scores.maxCoeff(), 1.0);
}

// One window goes down each tree by itself, many go column by column.
TEST(IsolationForest, ScoresAWindowAloneAsAmongOthers) {
  const Design design = to_design(SyntheticRun(17).quiet(100, 20));
  const IsolationForest forest = fitted(design);
  const auto together = forest.score(design.x);
  for (Eigen::Index row = 0; row < together.size(); ++row) {
    Design alone;
    alone.x = design.x.row(row);
    EXPECT_EQ(forest.score(alone.x)(0), together(row));
  }
}

// The definition, step by step, on the forest's own trees.
TEST(IsolationForest, ScoresByTheLengthsOfPaths) {
  const Design design = to_design(SyntheticRun(18).quiet(60, 20));
  const IsolationForest forest = fitted(design);
  const auto scores = forest.score(design.x);
  for (Eigen::Index row = 0; row < scores.size(); ++row) {
    double length = 0;
    for (const auto& tree : forest.trees()) {
      std::size_t node = 0;
      for (; tree.left[node] >= 0; ++length) {
        const bool left = design.x(row, tree.feature[node]) <= tree.threshold[node];
        node = static_cast<std::size_t>(left ? tree.left[node] : tree.right[node]);
      }
      length += average_path_length(tree.node_samples[node]);
    }
    EXPECT_NEAR(scores(row), std::exp2(-length / 100 / average_path_length(60)), 1e-13);
  }
}

TEST(IsolationForest, SeedsDiffer) {
  const Design design = to_design(SyntheticRun(13).quiet(100, 20));
  EXPECT_FALSE(fitted(design, 1).score(design.x).isApprox(fitted(design, 2).score(design.x)));
}

TEST(IsolationForest, TreesDifferFromEachOther) {
  const Design design = to_design(SyntheticRun(14).quiet(100, 20));
  const IsolationForest forest = fitted(design);
  std::set<double> roots;
  for (const auto& tree : forest.trees()) roots.insert(tree.threshold[0]);
  EXPECT_EQ(roots.size(), 100u);
}

class GrownTree : public ::testing::TestWithParam<int> {
 protected:
  static constexpr int kSubsample = 100;
  Eigen::MatrixXd x_ = SyntheticRun(15).quiet(150, 10);
  IsolationTree tree_ =
      grow_isolation_tree(x_, kSubsample, base::Rng(static_cast<std::uint64_t>(GetParam())));

  int depth_below(std::int32_t node) const {
    const auto i = static_cast<std::size_t>(node);
    if (tree_.left[i] < 0) return 0;
    return 1 + std::max(depth_below(tree_.left[i]), depth_below(tree_.right[i]));
  }
};

TEST_P(GrownTree, EachSplitSharesOutItsSamples) {
  ASSERT_EQ(tree_.node_samples[0], kSubsample);
  for (std::size_t node = 0; node < tree_.left.size(); ++node) {
    if (tree_.left[node] < 0) continue;
    const auto left = tree_.node_samples[static_cast<std::size_t>(tree_.left[node])];
    const auto right = tree_.node_samples[static_cast<std::size_t>(tree_.right[node])];
    EXPECT_GT(left, 0);
    EXPECT_GT(right, 0);
    EXPECT_EQ(left + right, tree_.node_samples[node]);
  }
}

TEST_P(GrownTree, IsNoDeeperThanTheLimit) {
  EXPECT_LE(depth_below(0), 7);
}  // log2(100) = 6.6

INSTANTIATE_TEST_SUITE_P(Seeds, GrownTree, ::testing::Range(0, 20));

TEST(GrowIsolationTree, SplitsOnlyOnColumnsThatVary) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Ones(50, 30);
  x.col(17) = Eigen::VectorXd::LinSpaced(50, 0.0, 1.0);
  const IsolationTree tree = grow_isolation_tree(x, 50, base::Rng(3));
  for (std::size_t node = 0; node < tree.left.size(); ++node) {
    if (tree.left[node] < 0) continue;
    EXPECT_EQ(tree.feature[node], 17);
  }
  EXPECT_GT(tree.left.size(), 1u);
}

TEST(GrowIsolationTree, StopsWhereAllRowsAreAlike) {
  const IsolationTree tree = grow_isolation_tree(Eigen::MatrixXd::Ones(50, 3), 50, base::Rng(3));
  ASSERT_EQ(tree.left.size(), 1u);
  EXPECT_EQ(tree.node_samples[0], 50);
}

TEST(GrowIsolationTree, DoesNotDependOnTheTreesBefore) {
  const Eigen::MatrixXd x = SyntheticRun(19).quiet(80, 30);
  IsolationTreeGrower grower(x, 60);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const IsolationTree alone = grow_isolation_tree(x, 60, base::Rng(seed));
    const IsolationTree after_others = grower.grow(base::Rng(seed));
    EXPECT_EQ(after_others.feature, alone.feature);
    EXPECT_EQ(after_others.threshold, alone.threshold);
  }
}

TEST(GrowIsolationTree, DrawsColumnsUniformly) {
  const Eigen::MatrixXd x = SyntheticRun(16).noise(30, 4);
  std::vector<int> roots(4, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const IsolationTree tree = grow_isolation_tree(x, 2, base::Rng(seed));
    ++roots[static_cast<std::size_t>(tree.feature[0])];
  }
  for (const int count : roots) EXPECT_NEAR(count, 1000, 140);  // five standard deviations
}

}  // namespace
}  // namespace reveal::detect
