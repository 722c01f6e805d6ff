// The mean absolute z-score. The simplest detector: how far, on average over all columns, a window
// lies from the mean of the windows that the design was standardised by. The design is all that
// there is to fit.
//
//   score = sum_j |z_j| / D        parts: |z_j| / D, which sum to the score
#include "detect/detector.h"

namespace reveal::detect {
namespace {

class Zscore final : public Detector {
 public:
  std::string_view name() const override { return "zscore"; }

  base::Result<void> fit(const Design& design) override { return check_design(design); }

  Eigen::VectorXd score(const Design& design) const override {
    return design.x.cwiseAbs().rowwise().mean();
  }

  Eigen::VectorXd contributions(const Design& design, Eigen::Index row) const override {
    return design.x.row(row).cwiseAbs().transpose() / static_cast<double>(design.x.cols());
  }
};

}  // namespace

std::unique_ptr<Detector> make_zscore(const DetectorOptions&) {
  return std::make_unique<Zscore>();
}

}  // namespace reveal::detect
