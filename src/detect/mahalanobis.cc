// The Mahalanobis distance in the subspace of the principal components that hold 95 % of the
// variance: how unusual a window's combination of values is, given how columns move together.
//
//   t = V^T (x - centre);  score = sqrt(sum_k t_k^2 / lambda_k), lambda_k with divisor windows - 1
//
// Parts: with M = V diag(1/lambda) V^T the squared score is the sum over columns of
// c_j = (x - centre)_j (M (x - centre))_j. A part is negative where the column's own deviation is
// the opposite of what the others make one expect of the distance.
#include "detect/detector.h"
#include "detect/principal_axes.h"

namespace reveal::detect {
namespace {

constexpr double kVarianceRatio = 0.95;

class Mahalanobis final : public Detector {
 public:
  std::string_view name() const override { return "mahalanobis"; }

  base::Result<void> fit(const Design& design) override {
    if (auto sound = check_design(design); !sound) return sound;
    principal_ = principal_axes(design.x, kVarianceRatio);
    return {};
  }

  Eigen::VectorXd score(const Design& design) const override {
    const Eigen::VectorXd inverse_deviation = principal_.variances.cwiseSqrt().cwiseInverse();
    Eigen::MatrixXd t = (design.x.rowwise() - principal_.centre.transpose()) * principal_.axes;
    t *= inverse_deviation.asDiagonal();
    return t.rowwise().norm();
  }

  Eigen::VectorXd contributions(const Design& design, Eigen::Index row) const override {
    const Eigen::VectorXd deviation = design.x.row(row).transpose() - principal_.centre;
    const Eigen::VectorXd t = principal_.axes.transpose() * deviation;
    const Eigen::VectorXd pull = principal_.axes * t.cwiseQuotient(principal_.variances);
    return deviation.cwiseProduct(pull);
  }

 private:
  PrincipalAxes principal_;
};

}  // namespace

std::unique_ptr<Detector> make_mahalanobis(const DetectorOptions&) {
  return std::make_unique<Mahalanobis>();
}

}  // namespace reveal::detect
