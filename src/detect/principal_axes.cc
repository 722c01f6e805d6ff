#include "detect/principal_axes.h"

#include <algorithm>
#include <utility>

#include "stats/krylov_eigen.h"
#include "stats/leading_eigen.h"

namespace reveal::detect {

using stats::Precision;

namespace {

stats::SymmetricEigen leading(const Eigen::MatrixXd& gram, double share, Precision precision) {
  constexpr Eigen::Index kBlock = 64;
  if (gram.rows() > kMaxExact) {
    const stats::KrylovOptions options{kBlock, kAxesResidual, precision};
    if (auto out = stats::leading_eigen_by_krylov(gram, share, options)) return *std::move(out);
  }
  return stats::leading_eigen(gram, share);
}

}  // namespace

stats::Precision axes_precision(Eigen::Index rows, Eigen::Index columns) {
  const auto shorter = static_cast<double>(std::min(rows, columns));
  const auto longer = static_cast<double>(std::max(rows, columns));
  return shorter * shorter * longer <= kMaxInDouble ? Precision::kDouble : Precision::kSingle;
}

PrincipalAxes principal_axes(const Windows& x, double variance_ratio) {
  const Precision precision = axes_precision(x.rows(), x.cols());
  return x.rows() < x.cols() ? principal_axes_by_gram(x, variance_ratio, precision)
                             : principal_axes_by_covariance(x, variance_ratio, precision);
}

PrincipalAxes principal_axes_by_covariance(const Windows& x, double variance_ratio,
                                           Precision precision) {
  PrincipalAxes out;
  out.center = x.colwise().mean().transpose();
  const auto divisor = static_cast<double>(x.rows() - 1);
  auto eigen =
      leading(stats::gram({x, true, out.center.data()}, precision), variance_ratio, precision);
  out.variances = eigen.values / divisor;
  out.axes = std::move(eigen.vectors);
  return out;
}

// With X = U S V^T: X X^T = U S^2 U^T, hence V = X^T U / S.
PrincipalAxes principal_axes_by_gram(const Windows& x, double variance_ratio, Precision precision) {
  PrincipalAxes out;
  out.center = x.colwise().mean().transpose();
  const auto divisor = static_cast<double>(x.rows() - 1);
  auto eigen =
      leading(stats::gram({x, false, out.center.data()}, precision), variance_ratio, precision);
  out.variances = eigen.values / divisor;
  eigen.vectors *= eigen.values.cwiseSqrt().cwiseInverse().asDiagonal();
  out.axes = stats::product({x, true, out.center.data()}, {eigen.vectors}, precision);
  return out;
}

}  // namespace reveal::detect
