#include "detect/columnwise.h"

namespace reveal::detect {

base::Result<void> Columnwise::fit(const Windows& x) {
  if (auto sound = check_windows(x); !sound) return sound;
  rows_ = static_cast<double>(x.rows());
  centre_ = Eigen::VectorXd::Zero(x.cols());
  deviation_ = Eigen::VectorXd::Ones(x.cols());
  return {};
}

// Chan, Golub, LeVeque: Updating Formulae (1979): squares about the common mean.
bool Columnwise::update(const Windows& more) {
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

void Columnwise::save(StateWriter& out) const {
  out.number(rows_);
  out.vector(centre_);
  out.vector(deviation_);
}

void Columnwise::load(StateReader& in, Eigen::Index columns) {
  rows_ = in.number();
  centre_ = in.vector();
  deviation_ = in.vector();
  if (centre_.size() != columns || deviation_.size() != columns || !(rows_ > 0) ||
      !centre_.allFinite() || !(deviation_.array() > 0).all()) {
    in.fail();
  }
}

}  // namespace reveal::detect
