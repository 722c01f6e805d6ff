#include "attribute/excess.h"

namespace reveal::attribute {

Eigen::VectorXd excess_shares(Eigen::VectorXd contributions, const Eigen::VectorXd& usual) {
  if (usual.size() > 0) contributions -= usual;
  contributions = contributions.cwiseMax(0.0);
  const double total = contributions.sum();
  if (total > 0) contributions /= total;
  return contributions;
}

Eigen::VectorXd WindowBlame::total() const {
  const double weight = others_.sum();
  return weight > 0 ? Eigen::VectorXd(others_ + weight * saturation_) : saturation_;
}

}  // namespace reveal::attribute
