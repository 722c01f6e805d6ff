#include "attribute/excess.h"

namespace reveal::attribute {

Eigen::VectorXd ExcessContributions::shares(std::size_t row) const {
  Eigen::VectorXd excess = run_.contributions(detector_, static_cast<Eigen::Index>(row));
  if (usual_.size() > 0) excess -= usual_;
  excess = excess.cwiseMax(0.0);
  const double total = excess.sum();
  if (total > 0) excess /= total;
  return excess;
}

}  // namespace reveal::attribute
