// The share of columns that lie farther out than three standard deviations: how many things are
// unusual at once, however far out each is. A mean is carried by the few columns that lie farthest,
// and in a quiet run these are some rare event's; a fault moves many columns a little.
//
//   score = count of |z_j| > 3, over D        parts: 1 / D for each of those, which sum to it
#include "detect/columnwise.h"

namespace reveal::detect {
namespace {

constexpr double kFarOut = 3;

class OutlierShare final : public Columnwise {
 public:
  using Columnwise::Columnwise;

  std::string_view name() const override { return "outlier_share"; }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const double limit = kFarOut * deviation()(j);
      out.array() += ((x.col(j).array() - center()(j)).abs() > limit).cast<double>();
    }
    return out / column_count();
  }

  double resolution() const override { return 1 / column_count(); }

  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override {
    const Eigen::ArrayXd far = (x.row(row).transpose() - center()).array().abs();
    const Eigen::ArrayXd limit = kFarOut * deviation().array();
    return (far > limit).cast<double>() / column_count();
  }
};

}  // namespace

std::unique_ptr<Detector> make_outlier_share(const DetectorOptions& options) {
  return std::make_unique<OutlierShare>(options.left_out.columns);
}

}  // namespace reveal::detect
