// The mean absolute z-score. The simplest detector: how far, on average over all columns, a window
// lies from the mean of the windows that it was fitted on.
//
//   score = sum_j |z_j| / D        parts: |z_j| / D, which sum to the score
#include "detect/columnwise.h"

namespace reveal::detect {
namespace {

class Zscore final : public Columnwise {
 public:
  using Columnwise::Columnwise;

  std::string_view name() const override { return "zscore"; }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const double unit = 1 / deviation()(j);
      out.array() += ((x.col(j).array() - center()(j)) * unit).abs();
    }
    return out / column_count();
  }

  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override {
    const Eigen::VectorXd far = x.row(row).transpose() - center();
    return far.cwiseQuotient(deviation()).cwiseAbs() / column_count();
  }
};

}  // namespace

std::unique_ptr<Detector> make_zscore(const DetectorOptions& options) {
  return std::make_unique<Zscore>(options.left_out.columns);
}

}  // namespace reveal::detect
