// t-distributed stochastic neighbor embedding (van der Maaten and Hinton 2008), exact: points in a
// plane whose near neighbors are those of points in many dimensions. Far distances in the plane say
// little.
//
// Nothing is drawn by chance: the caller says where the points start. Schedule and step sizes are
// those of scikit-learn's TSNE(method="exact", learning_rate="auto").
#pragma once

#include <vector>

#include <Eigen/Core>

namespace reveal::stats {

struct Embedding {
  Eigen::MatrixXd points;  // a row a point, two columns, about the origin
  // Of the joint probabilities in the plane from those given, in nats: what was minimized.
  double kl_divergence = 0;
};

// Returns the joint probabilities of pairs, which sum to 1: a point's neighbors have those of a
// normal distribution about it, as wide as makes the perplexity (2 to the entropy in bits, about
// how many neighbors count), to 1e-5 in nats; then the means of both directions.
// REQUIRES: squared distances, square and symmetric; 1 <= perplexity < points.
Eigen::MatrixXd joint_probabilities(const Eigen::MatrixXd& squared_distances, double perplexity);

// Moves the points of `start` (a row a point, two columns), of which the first column is scaled to
// a standard deviation of 1e-4, in 1000 steps. Costs some 10 ns for each pair and step.
// REQUIRES: as many points as `probabilities` has; the first column varies.
Embedding embed(const Eigen::MatrixXd& probabilities, Eigen::MatrixXd start);

// Returns how far the `k` nearest neighbors in the plane are also near in the space (Venna and
// Kaski 2001), 0 to 1:
//
//   1 - 2 / (n k (2 n - 3 k - 1)) sum over i and its k nearest j in the plane of max(0, r(i, j) -
//   k)
//
// with r(i, j) the place of j among the others by its distance from i in the space, from 1 on.
// REQUIRES: squared distances of as many points; 0 < 2 k < points.
double trustworthiness(const Eigen::MatrixXd& squared_distances, const Eigen::MatrixXd& points,
                       Eigen::Index k);

// Returns the others by their distance from point `of`, nearest first, of equals the first one.
std::vector<Eigen::Index> neighbors_of(const Eigen::MatrixXd& squared_distances, Eigen::Index of);

// Returns the squared distances of rows.
Eigen::MatrixXd squared_distances(const Eigen::MatrixXd& points);

}  // namespace reveal::stats
