// What of a window the principal components do not explain. The Mahalanobis distance sees a
// window that is far out in a direction in which windows are known to differ; a fault goes where
// none has gone before, and there nothing but the residual is left of it (the Q statistic of
// process monitoring, beside which the Mahalanobis distance is T²).
//
//   q = (x - center) - V V^T (x - center);  score = sum_j |q_j| / D
//   parts: |q_j| / D, which sum to the score
//
// Not squares, as Q has them: a column that stood still in all windows known and moves now has a
// residual of tens, and one such would outweigh a fault that moves a hundred columns by one.
#include <memory>

#include "detect/principal_detector.h"
#include "stats/product.h"

namespace reveal::detect {
namespace {

class PcaResidual final : public PrincipalDetector {
 public:
  explicit PcaResidual(Eigen::Index left_out) : left_out_(left_out) {}

  std::string_view name() const override { return "pca_residual"; }

  Eigen::VectorXd score(const Windows& x) const override { return parts(x).rowwise().sum(); }

  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override {
    return parts(x.middleRows(row, 1)).transpose();
  }

 private:
  Eigen::MatrixXd parts(const Windows& x) const {
    const Eigen::MatrixXd t = coordinates(x);
    Eigen::MatrixXd out = x.rowwise() - principal().center.transpose();
    out -= stats::product({t}, {principal().axes, true});
    return out.cwiseAbs() / static_cast<double>(x.cols() + left_out_);
  }

  Eigen::Index left_out_;  // columns that count (Design::left_out)
};

}  // namespace

std::unique_ptr<Detector> make_pca_residual(const DetectorOptions& options) {
  return std::make_unique<PcaResidual>(options.left_out.columns);
}

}  // namespace reveal::detect
