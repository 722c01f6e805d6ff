#include "stats/tsne.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::stats {
namespace {

using Eigen::MatrixXd;
using testing::DoubleNear;
using testing::ElementsAre;

MatrixXd on_a_line(std::initializer_list<double> places) {
  MatrixXd out(static_cast<Eigen::Index>(places.size()), 2);
  Eigen::Index row = 0;
  for (const double place : places) out.row(row++) << place, 0;
  return out;
}

// Two heaps of points, far apart in ten dimensions.
MatrixXd heaps(Eigen::Index each) {
  base::Rng rng(7);
  MatrixXd out(2 * each, 10);
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = rng.uniform();
  out.bottomRows(each).array() += 5;
  return out;
}

TEST(SquaredDistances, ByHand) {
  const auto found = squared_distances(on_a_line({0, 1, 4}));
  MatrixXd want(3, 3);
  want << 0, 1, 16, 1, 0, 9, 16, 9, 0;
  EXPECT_LT((found - want).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(JointProbabilities, OfPointsThatAreAllAsFarAreTheSame) {
  MatrixXd distances = MatrixXd::Constant(4, 4, 7);
  distances.diagonal().setZero();
  const auto found = joint_probabilities(distances, 2);
  for (Eigen::Index i = 0; i < 4; ++i) {
    for (Eigen::Index j = 0; j < 4; ++j) {
      EXPECT_THAT(found(i, j), DoubleNear(i == j ? 0 : 1.0 / 12, 1e-12));
    }
  }
}

// On a circle all points have the same neighbors, so joint probabilities are a point's own by the
// number of points, and their entropy is the one that was asked for.
TEST(JointProbabilities, HaveThePerplexity) {
  constexpr Eigen::Index kPoints = 60;
  MatrixXd circle(kPoints, 2);
  for (Eigen::Index i = 0; i < kPoints; ++i) {
    const double angle = 2 * 3.14159265358979323846 * static_cast<double>(i) / kPoints;
    circle.row(i) << 1000 * std::cos(angle), 1000 * std::sin(angle);
  }
  const auto found = joint_probabilities(squared_distances(circle), 12);
  double entropy = 0;
  for (Eigen::Index j = 1; j < kPoints; ++j) {
    const double p = found(j, 0) * kPoints;
    entropy -= p * std::log(p);
  }
  EXPECT_THAT(entropy, DoubleNear(std::log(12.0), 2e-5));
}

TEST(NeighborsOf, NearestFirstAndOfEqualsTheFirst) {
  EXPECT_THAT(neighbors_of(squared_distances(on_a_line({0, 1, 5, -1, 3})), 0),
              ElementsAre(1, 3, 4, 2));
}

// The points of a line, of which the first and the last changed places in the plane.
TEST(Trustworthiness, ByHand) {
  const auto space = squared_distances(on_a_line({0, 1.1, 2.3, 3.6, 5.0, 6.5}));
  const auto plane = on_a_line({6.5, 1.1, 2.3, 3.6, 5.0, 0});
  // Nearest in the plane: 0 -> 4 (place 4), 1 -> 5 by 1.1 < 1.2 (place 5), 2 -> 1 (1), 3 -> 2 (1),
  // 4 -> 3 by 1.4 < 1.5 (place 1), 5 -> 1 (place 4). Penalties 3 + 4 + 3 = 10.
  EXPECT_THAT(trustworthiness(space, plane, 1),
              DoubleNear(1 - 2.0 / (6 * 1 * (12 - 3 - 1)) * 10, 1e-12));
  EXPECT_EQ(trustworthiness(space, on_a_line({0, 1.1, 2.3, 3.6, 5.0, 6.5}), 2), 1);
}

TEST(Embed, HeapsStayApartAndNeighborsStayNear) {
  constexpr Eigen::Index kEach = 40;
  const MatrixXd x = heaps(kEach);
  const auto distances = squared_distances(x);
  const auto found = embed(joint_probabilities(distances, 10), x.leftCols(2));
  EXPECT_GT(trustworthiness(distances, found.points, 5), 0.8);
  const MatrixXd plane = squared_distances(found.points);
  for (Eigen::Index i = 0; i < 2 * kEach; ++i) {
    for (Eigen::Index k = 0; k < 10; ++k) {
      const auto near = neighbors_of(plane, i)[static_cast<std::size_t>(k)];
      EXPECT_EQ(near < kEach, i < kEach) << i;
    }
  }
}

TEST(Embed, IsTheSameEachTime) {
  const MatrixXd x = heaps(15);
  const auto probabilities = joint_probabilities(squared_distances(x), 5);
  EXPECT_EQ(embed(probabilities, x.leftCols(2)).points, embed(probabilities, x.leftCols(2)).points);
}

}  // namespace
}  // namespace reveal::stats
