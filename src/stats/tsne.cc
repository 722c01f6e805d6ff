#include "stats/tsne.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "stats/product.h"

namespace reveal::stats {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kLeast = std::numeric_limits<double>::epsilon();  // of a probability

// The probabilities of one point's neighbors, by how narrow their distribution is.
struct Neighbors {
  ArrayXd share;
  double entropy = 0;
};

// REQUIRES: `far` are squared distances less that of the nearest, without the point itself.
Neighbors neighbors(const ArrayXd& far, double narrow) {
  Neighbors out;
  out.share = (-narrow * far).exp();
  const double sum = out.share.sum();
  out.share /= sum;
  out.entropy = std::log(sum) + narrow * (far * out.share).sum();
  return out;
}

// Finds how narrow the distribution must be: entropy falls as it narrows.
ArrayXd neighbors_of_perplexity(const ArrayXd& far, double perplexity) {
  constexpr int kSteps = 100;
  constexpr double kTolerance = 1e-5;
  const double wanted = std::log(perplexity);
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double narrow = 1;
  Neighbors found;
  for (int i = 0; i < kSteps; ++i) {
    found = neighbors(far, narrow);
    if (std::fabs(found.entropy - wanted) <= kTolerance) break;
    (found.entropy > wanted ? low : high) = narrow;
    narrow = std::isinf(high) ? narrow * 2 : (low + high) / 2;
  }
  return found.share;
}

// A step's state, as Jacobs (1988) adapts each coordinate's step.
struct Descent {
  MatrixXd points;
  MatrixXd moved;  // in the last step
  MatrixXd gains;
};

Descent at_rest(MatrixXd points) {
  const Index n = points.rows();
  return {std::move(points), MatrixXd::Zero(n, 2), MatrixXd::Ones(n, 2)};
}

// Returns 1 / (1 + squared distance) of pairs, 0 of a point with itself.
MatrixXd closeness(const MatrixXd& points) {
  const Index n = points.rows();
  MatrixXd out(n, n);
  for (Index i = 0; i < n; ++i) {
    out.col(i) = (1 + (points.col(0).array() - points(i, 0)).square() +
                  (points.col(1).array() - points(i, 1)).square())
                     .inverse();
    out(i, i) = 0;
  }
  return out;
}

MatrixXd gradient(const MatrixXd& probabilities, double exaggeration, const MatrixXd& points) {
  constexpr double kFactor = 4;
  const MatrixXd close = closeness(points);
  const double sum = close.sum();
  MatrixXd out(points.rows(), 2);
  for (Index i = 0; i < points.rows(); ++i) {
    const auto near = close.col(i).array();
    const ArrayXd pull =
        (exaggeration * probabilities.col(i).array() - (near / sum).max(kLeast)) * near;
    for (Index axis = 0; axis < 2; ++axis) {
      out(i, axis) = kFactor * (pull * (points(i, axis) - points.col(axis).array())).sum();
    }
  }
  return out;
}

void step(Descent& at, const MatrixXd& slope, double momentum, double rate) {
  constexpr double kFaster = 0.2;
  constexpr double kSlower = 0.8;
  constexpr double kLeastGain = 0.01;
  const auto onward = at.moved.array() * slope.array() < 0;
  at.gains = onward.select(at.gains.array() + kFaster, at.gains.array() * kSlower).max(kLeastGain);
  at.moved = momentum * at.moved.array() - rate * at.gains.array() * slope.array();
  at.points += at.moved;
}

double divergence(const MatrixXd& probabilities, const MatrixXd& points) {
  const MatrixXd close = closeness(points);
  const double sum = close.sum();
  double out = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index j = 0; j < points.rows(); ++j) {
      if (i == j) continue;
      const double p = probabilities(j, i);
      out += p * std::log(p / std::max(close(j, i) / sum, kLeast));
    }
  }
  return out;
}

}  // namespace

MatrixXd joint_probabilities(const MatrixXd& squared_distances, double perplexity) {
  const Index n = squared_distances.rows();
  MatrixXd out = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    ArrayXd far(n - 1);
    far.head(i) = squared_distances.col(i).head(i).array();
    far.tail(n - 1 - i) = squared_distances.col(i).tail(n - 1 - i).array();
    const ArrayXd share = neighbors_of_perplexity(far - far.minCoeff(), perplexity);
    out.col(i).head(i) = share.head(i);
    out.col(i).tail(n - 1 - i) = share.tail(n - 1 - i);
  }
  out = (out + out.transpose()).eval();
  return (out / out.sum()).cwiseMax(kLeast);
}

Embedding embed(const MatrixXd& probabilities, MatrixXd start) {
  constexpr double kStart = 1e-4;
  constexpr double kExaggeration = 12;
  constexpr int kExaggerated = 250;
  constexpr int kSteps = 1000;
  const auto n = static_cast<double>(start.rows());
  const double rate = std::max(n / kExaggeration / 4, 50.0);
  start.rowwise() -= start.colwise().mean();
  start *= kStart / std::sqrt(start.col(0).squaredNorm() / n);
  Descent at = at_rest(std::move(start));
  for (int i = 0; i < kSteps; ++i) {
    const bool early = i < kExaggerated;
    // The second stretch begins anew, as scikit-learn's does.
    if (i == kExaggerated) at = at_rest(std::move(at.points));
    step(at, gradient(probabilities, early ? kExaggeration : 1, at.points), early ? 0.5 : 0.8,
         rate);
  }
  return {at.points, divergence(probabilities, at.points)};
}

std::vector<Index> neighbors_of(const MatrixXd& squared_distances, Index of) {
  std::vector<Index> out(static_cast<std::size_t>(squared_distances.rows()));
  std::iota(out.begin(), out.end(), 0);
  out.erase(out.begin() + of);
  std::ranges::stable_sort(out, {}, [&](Index other) { return squared_distances(other, of); });
  return out;
}

double trustworthiness(const MatrixXd& squared_distances, const MatrixXd& points, Index k) {
  const Index n = points.rows();
  const MatrixXd in_plane = stats::squared_distances(points);
  double sum = 0;
  std::vector<Index> place(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const auto near = neighbors_of(squared_distances, i);
    for (std::size_t r = 0; r < near.size(); ++r) {
      place[static_cast<std::size_t>(near[r])] = static_cast<Index>(r) + 1;
    }
    const auto drawn = neighbors_of(in_plane, i);
    for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j) {
      sum += static_cast<double>(std::max<Index>(place[static_cast<std::size_t>(drawn[j])] - k, 0));
    }
  }
  const auto count = static_cast<double>(n);
  const auto near = static_cast<double>(k);
  return 1 - 2 / (count * near * (2 * count - 3 * near - 1)) * sum;
}

MatrixXd squared_distances(const MatrixXd& points) {
  const MatrixXd products = gram({.matrix = points});
  const Eigen::VectorXd own = products.diagonal();
  MatrixXd out = -2 * products;
  out.colwise() += own;
  out.rowwise() += own.transpose();
  return out.cwiseMax(0);
}

}  // namespace reveal::stats
