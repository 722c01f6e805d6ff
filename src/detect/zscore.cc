// The mean absolute z-score. The simplest detector: how far, on average over all columns, a window
// lies from the mean of the windows that it was fitted on.
//
//   score = sum_j |z_j| / D        parts: |z_j| / D, which sum to the score
#include "detect/column_scale.h"
#include "detect/detector.h"

namespace reveal::detect {
namespace {

class Zscore final : public Detector {
 public:
  std::string_view name() const override { return "zscore"; }

  base::Result<void> fit(const Windows& x) override {
    if (auto sound = check_windows(x); !sound) return sound;
    scale_ = ColumnScale(x.rows(), x.cols());
    return {};
  }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      const double unit = 1 / scale_.deviation()(j);
      out.array() += ((x.col(j).array() - scale_.centre()(j)) * unit).abs();
    }
    return out / static_cast<double>(x.cols());
  }

  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override {
    return scale_.distances(x, row) / static_cast<double>(x.cols());
  }

  void save(StateWriter& out) const override { scale_.save(out); }
  void load(StateReader& in, Eigen::Index columns) override { scale_.load(in, columns); }

  bool update(const Windows& more) override {
    scale_.update(more);
    return true;
  }

 private:
  ColumnScale scale_;
};

}  // namespace

std::unique_ptr<Detector> make_zscore(const DetectorOptions&) {
  return std::make_unique<Zscore>();
}

}  // namespace reveal::detect
