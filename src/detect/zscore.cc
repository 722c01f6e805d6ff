// The mean absolute z-score. The simplest detector: how far, on average over all columns, a window
// lies from the mean of the windows that it was fitted on. The design is standardised by them, so
// there is nothing to learn until more windows are added.
//
//   score = sum_j |z_j| / D        parts: |z_j| / D, which sum to the score
#include "detect/detector.h"

namespace reveal::detect {
namespace {

class Zscore final : public Detector {
 public:
  std::string_view name() const override { return "zscore"; }

  base::Result<void> fit(const Windows& x) override {
    if (auto sound = check_windows(x); !sound) return sound;
    rows_ = static_cast<double>(x.rows());
    centre_ = Eigen::VectorXd::Zero(x.cols());
    deviation_ = Eigen::VectorXd::Ones(x.cols());
    return {};
  }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      out.array() += ((x.col(j).array() - centre_(j)) * (1 / deviation_(j))).abs();
    }
    return out / static_cast<double>(x.cols());
  }

  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override {
    const Eigen::VectorXd far = x.row(row).transpose() - centre_;
    return far.cwiseQuotient(deviation_).cwiseAbs() / static_cast<double>(x.cols());
  }

  void save(StateWriter& out) const override {
    out.number(rows_);
    out.vector(centre_);
    out.vector(deviation_);
  }

  void load(StateReader& in, Eigen::Index columns) override {
    rows_ = in.number();
    centre_ = in.vector();
    deviation_ = in.vector();
    if (centre_.size() != columns || deviation_.size() != columns || !(rows_ > 0) ||
        !centre_.allFinite() || !(deviation_.array() > 0).all()) {
      in.fail();
    }
  }

  // Chan, Golub, LeVeque: Updating Formulae (1979): squares about the common mean.
  bool update(const Windows& more) override {
    const auto added = static_cast<double>(more.rows());
    const double total = rows_ + added;
    const Eigen::VectorXd mean = more.colwise().mean().transpose();
    const Eigen::VectorXd between = mean - centre_;
    Eigen::VectorXd squares = rows_ * deviation_.cwiseAbs2();
    squares += (more.rowwise() - mean.transpose()).colwise().squaredNorm().transpose();
    squares += (rows_ * added / total) * between.cwiseAbs2();
    deviation_ = (squares / total).cwiseSqrt();
    centre_ += between * (added / total);
    rows_ = total;
    return true;
  }

 private:
  double rows_ = 0;
  Eigen::VectorXd centre_;     // in the units of the design
  Eigen::VectorXd deviation_;  // likewise, population formula
};

}  // namespace

std::unique_ptr<Detector> make_zscore(const DetectorOptions&) {
  return std::make_unique<Zscore>();
}

}  // namespace reveal::detect
