#include "detect/columnwise.h"

namespace reveal::detect {

base::Result<void> Columnwise::fit(const Windows& x) {
  if (auto sound = check_windows(x); !sound) return sound;
  rows_ = static_cast<double>(x.rows());
  center_ = Eigen::VectorXd::Zero(x.cols());
  deviation_ = Eigen::VectorXd::Ones(x.cols());
  return {};
}

// Chan, Golub, LeVeque: Updating Formulae (1979): squares about the common mean.
bool Columnwise::update(const Windows& more) {
  const auto added = static_cast<double>(more.rows());
  const double total = rows_ + added;
  const Eigen::VectorXd mean = more.colwise().mean().transpose();
  const Eigen::VectorXd between = mean - center_;
  Eigen::VectorXd squares = rows_ * deviation_.cwiseAbs2();
  squares += (more.rowwise() - mean.transpose()).colwise().squaredNorm().transpose();
  squares += (rows_ * added / total) * between.cwiseAbs2();
  deviation_ = (squares / total).cwiseSqrt();
  center_ += between * (added / total);
  rows_ = total;
  return true;
}

void Columnwise::save(StateWriter& out) const {
  out.number(rows_);
  out.vector(center_);
  out.vector(deviation_);
}

void Columnwise::load(StateReader& in, Eigen::Index columns) {
  rows_ = in.number();
  center_ = in.vector();
  deviation_ = in.vector();
  if (center_.size() != columns || deviation_.size() != columns || !(rows_ > 0) ||
      !center_.allFinite() || !(deviation_.array() > 0).all()) {
    in.fail();
  }
}

}  // namespace reveal::detect
