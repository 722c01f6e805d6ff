#include "detect/principal_axes.h"

#include "stats/symmetric_eigen.h"

namespace reveal::detect {
namespace {

// Eigenvalues this much smaller than the first are rounding, not variance.
constexpr double kZeroVarianceRatio = 1e-12;

Eigen::MatrixXd centred(const Eigen::MatrixXd& x, const Eigen::VectorXd& centre) {
  return x.rowwise() - centre.transpose();
}

}  // namespace

Eigen::Index kept_components(const Eigen::VectorXd& values, double total, double ratio) {
  const double negligible = values.size() > 0 ? kZeroVarianceRatio * values(0) : 0.0;
  double sum = 0;
  Eigen::Index kept = 0;
  while (kept < values.size() && values(kept) > negligible && sum <= ratio * total) {
    sum += values(kept);
    ++kept;
  }
  return kept;
}

PrincipalAxes principal_axes(const Eigen::MatrixXd& x, double variance_ratio) {
  return x.rows() < x.cols() ? principal_axes_by_gram(x, variance_ratio)
                             : principal_axes_by_covariance(x, variance_ratio);
}

PrincipalAxes principal_axes_by_covariance(const Eigen::MatrixXd& x, double variance_ratio) {
  PrincipalAxes out;
  out.centre = x.colwise().mean().transpose();
  const Eigen::MatrixXd deviations = centred(x, out.centre);
  const auto divisor = static_cast<double>(x.rows() - 1);
  const auto eigen = stats::symmetric_eigen(deviations.transpose() * deviations / divisor);
  const Eigen::Index kept =
      kept_components(eigen.values, eigen.values.cwiseMax(0.0).sum(), variance_ratio);
  out.variances = eigen.values.head(kept);
  out.axes = eigen.vectors.leftCols(kept);
  return out;
}

// With X = U S V^T: X X^T = U S^2 U^T, hence V = X^T U / S.
PrincipalAxes principal_axes_by_gram(const Eigen::MatrixXd& x, double variance_ratio) {
  PrincipalAxes out;
  out.centre = x.colwise().mean().transpose();
  const Eigen::MatrixXd deviations = centred(x, out.centre);
  const auto divisor = static_cast<double>(x.rows() - 1);
  const auto eigen = stats::symmetric_eigen(deviations * deviations.transpose() / divisor);
  const Eigen::Index kept =
      kept_components(eigen.values, eigen.values.cwiseMax(0.0).sum(), variance_ratio);
  out.variances = eigen.values.head(kept);
  const Eigen::VectorXd singular = (out.variances * divisor).cwiseSqrt();
  out.axes = deviations.transpose() * eigen.vectors.leftCols(kept);
  out.axes *= singular.cwiseInverse().asDiagonal();
  return out;
}

}  // namespace reveal::detect
