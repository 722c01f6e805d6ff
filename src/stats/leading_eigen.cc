#include "stats/leading_eigen.h"

#include <algorithm>
#include <utility>

#include "stats/orthonormalize.h"
#include "stats/tridiagonal.h"

namespace reveal::stats {
namespace {

// Eigenvalues this much smaller than the first are rounding.
constexpr double kNegligible = 1e-12;
constexpr double kResidual = 1e-11;
// Below this many rows there is nothing to gain.
constexpr Eigen::Index kSmall = 48;
// Eigenvalues are looked for this many at a time.
constexpr Eigen::Index kTogether = 32;

Eigen::VectorXd leading_values(const Tridiagonal& t, double share, double total) {
  const Eigen::Index n = t.diagonal.size();
  Eigen::VectorXd values;
  while (values.size() < n && leading_count(values, share, total) == values.size()) {
    const Eigen::Index known = values.size();
    const Eigen::Index more = std::min(kTogether, n - known);
    values.conservativeResize(known + more);
    values.tail(more) = eigenvalues(t, known, more);
  }
  return values.head(leading_count(values, share, total));
}

bool solves(const Tridiagonal& t, const SymmetricEigen& eigen) {
  const Eigen::Index n = t.diagonal.size();
  for (Eigen::Index k = 0; k < eigen.values.size(); ++k) {
    const auto vector = eigen.vectors.col(k);
    Eigen::VectorXd rest = (t.diagonal.array() - eigen.values(k)) * vector.array();
    rest.head(n - 1) += t.below.cwiseProduct(vector.tail(n - 1));
    rest.tail(n - 1) += t.below.cwiseProduct(vector.head(n - 1));
    if (!(rest.norm() <= kResidual * eigen.values(0))) return false;
  }
  return true;
}

}  // namespace

Eigen::Index leading_count(const Eigen::VectorXd& values, double share, double total) {
  const double negligible = values.size() > 0 ? kNegligible * values(0) : 0.0;
  double sum = 0;
  Eigen::Index count = 0;
  while (count < values.size() && values(count) > negligible && sum <= share * total) {
    sum += values(count);
    ++count;
  }
  return count;
}

std::optional<SymmetricEigen> leading_eigen_by_tridiagonal(const Eigen::MatrixXd& symmetric,
                                                           double share) {
  const Tridiagonal t = tridiagonalize(symmetric);
  SymmetricEigen out;
  out.values = leading_values(t, share, symmetric.trace());
  out.vectors = eigenvectors(t, out.values);
  if (out.values.size() == 0) return out;
  if (!orthonormalize(out.vectors) || !solves(t, out)) return std::nullopt;
  apply_reflections(t, out.vectors);
  orient(out.vectors);
  return out;
}

SymmetricEigen leading_eigen(const Eigen::MatrixXd& symmetric, double share) {
  if (symmetric.rows() >= kSmall) {
    if (auto out = leading_eigen_by_tridiagonal(symmetric, share)) return *std::move(out);
  }
  const SymmetricEigen all = symmetric_eigen(symmetric);
  const double total = all.values.cwiseMax(0.0).sum();
  const Eigen::Index count = leading_count(all.values, share, total);
  return {all.values.head(count), all.vectors.leftCols(count)};
}

}  // namespace reveal::stats
