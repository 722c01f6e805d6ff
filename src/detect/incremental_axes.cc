#include "detect/incremental_axes.h"

#include <algorithm>
#include <cmath>

#include "stats/leading_eigen.h"
#include "stats/product.h"

namespace reveal::detect {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// What was dropped before is in the whole, but not in the rows at hand.
constexpr double kNearlyAll = 1 - 1e-13;

// Returns rows whose products among themselves are those of all rows so far, centered: the kept
// components at their lengths, the new rows, and one for the distance between the two centers.
MatrixXd stacked(const LearnedAxes& axes, const Windows& more, const VectorXd& new_center) {
  const auto& kept = axes.principal;
  const auto added = static_cast<double>(more.rows());
  const Index count = kept.variances.size();
  MatrixXd out(count + more.rows() + 1, more.cols());
  const VectorXd lengths = (kept.variances * (axes.rows - 1)).cwiseSqrt();
  out.topRows(count) = lengths.asDiagonal() * kept.axes.transpose();
  out.middleRows(count, more.rows()) = more.rowwise() - new_center.transpose();
  out.bottomRows(1) =
      std::sqrt(axes.rows * added / (axes.rows + added)) * (kept.center - new_center).transpose();
  return out;
}

}  // namespace

LearnedAxes learn_axes(const Windows& x, double variance_ratio) {
  LearnedAxes out{principal_axes(x, variance_ratio), static_cast<double>(x.rows()), 0};
  out.squares = (x.rowwise() - out.principal.center.transpose()).squaredNorm();
  return out;
}

void add_rows(LearnedAxes& axes, const Windows& more, double variance_ratio) {
  const VectorXd new_center = more.colwise().mean().transpose();
  const MatrixXd rows = stacked(axes, more, new_center);
  const auto added = static_cast<double>(more.rows());
  const double total = axes.rows + added;
  axes.squares += rows.bottomRows(more.rows() + 1).squaredNorm();
  axes.principal.center = (axes.rows * axes.principal.center + added * new_center) / total;
  axes.rows = total;

  const MatrixXd gram = stats::gram({rows});
  const double share = std::min(variance_ratio * axes.squares / gram.trace(), kNearlyAll);
  auto eigen = stats::leading_eigen(gram, share);
  axes.principal.variances = eigen.values / (total - 1);
  eigen.vectors *= eigen.values.cwiseSqrt().cwiseInverse().asDiagonal();
  axes.principal.axes = stats::product({rows, true}, {eigen.vectors});
}

}  // namespace reveal::detect
