// The Mahalanobis distance in the subspace of the principal components that hold 95 % of the
// variance: how unusual a window's combination of values is, given how columns move together.
//
//   t = V^T (x - center);  score = sqrt(sum_k t_k^2 / lambda_k), lambda_k with divisor windows - 1
//
// Parts: with M = V diag(1/lambda) V^T the squared score is the sum over columns of (x - center)_j
// (M (x - center))_j; divided by the score, they sum to it. A part is negative if the column's own
// deviation is the opposite of what the others make one expect of the distance.
#include <cmath>

#include "detect/detector.h"
#include "detect/principal_detector.h"
#include "stats/product.h"

namespace reveal::detect {
namespace {

class PcaMahalanobis final : public PrincipalDetector {
 public:
  std::string_view name() const override { return "pca_mahalanobis"; }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::MatrixXd t = coordinates(x);
    t *= principal().variances.cwiseSqrt().cwiseInverse().asDiagonal();
    return t.rowwise().norm();
  }

  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override {
    const auto& components = principal();
    const Eigen::VectorXd deviation = x.row(row).transpose() - components.center;
    const Eigen::MatrixXd t = coordinates(x.middleRows(row, 1));
    const Eigen::MatrixXd weighed = t * components.variances.cwiseInverse().asDiagonal();
    const double score = std::sqrt(weighed.cwiseProduct(t).sum());
    if (score == 0) return Eigen::VectorXd::Zero(deviation.size());
    const Eigen::MatrixXd pull = stats::product({weighed}, {components.axes, true});
    return deviation.cwiseProduct(pull.transpose()) / score;
  }
};

}  // namespace

std::unique_ptr<Detector> make_pca_mahalanobis(const DetectorOptions&) {
  return std::make_unique<PcaMahalanobis>();
}

}  // namespace reveal::detect
