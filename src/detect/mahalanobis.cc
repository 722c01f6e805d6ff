// The Mahalanobis distance in the subspace of the principal components that hold 95 % of the
// variance: how unusual a window's combination of values is, given how columns move together.
//
//   t = V^T (x - centre);  score = sqrt(sum_k t_k^2 / lambda_k), lambda_k with divisor windows - 1
//
// Parts: with M = V diag(1/lambda) V^T the squared score is the sum over columns of
// (x - centre)_j (M (x - centre))_j; divided by the score, they sum to it. A part is negative where
// the column's own deviation is the opposite of what the others make one expect of the distance.
#include "detect/detector.h"
#include "detect/incremental_axes.h"
#include "stats/product.h"

namespace reveal::detect {
namespace {

constexpr double kVarianceRatio = 0.95;

class Mahalanobis final : public Detector {
 public:
  std::string_view name() const override { return "mahalanobis"; }

  base::Result<void> fit(const Windows& x) override {
    if (auto sound = check_windows(x); !sound) return sound;
    axes_ = learn_axes(x, kVarianceRatio);
    return {};
  }

  Eigen::VectorXd score(const Windows& x) const override {
    Eigen::MatrixXd t = coordinates(x);
    t *= axes_.principal.variances.cwiseSqrt().cwiseInverse().asDiagonal();
    return t.rowwise().norm();
  }

  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override {
    const auto& principal = axes_.principal;
    const Eigen::VectorXd deviation = x.row(row).transpose() - principal.centre;
    const Eigen::VectorXd t = coordinates(x.middleRows(row, 1)).transpose();
    const Eigen::VectorXd pull = principal.axes * t.cwiseQuotient(principal.variances);
    const double score = t.cwiseQuotient(principal.variances.cwiseSqrt()).norm();
    if (score == 0) return Eigen::VectorXd::Zero(deviation.size());
    return deviation.cwiseProduct(pull) / score;
  }

  void save(StateWriter& out) const override {
    out.number(axes_.rows);
    out.number(axes_.squares);
    out.vector(axes_.principal.centre);
    out.vector(axes_.principal.variances);
    out.matrix(axes_.principal.axes);
  }

  void load(StateReader& in, Eigen::Index columns) override {
    axes_.rows = in.number();
    axes_.squares = in.number();
    auto& principal = axes_.principal;
    principal.centre = in.vector();
    principal.variances = in.vector();
    principal.axes = in.matrix();
    if (principal.axes.size() == 0) principal.axes.resize(columns, 0);
    if (principal.centre.size() != columns || principal.axes.rows() != columns ||
        principal.axes.cols() != principal.variances.size() || !(axes_.rows > 1) ||
        !(principal.variances.array() > 0).all() || !principal.axes.allFinite()) {
      in.fail();
    }
  }

  bool update(const Windows& more) override {
    add_rows(axes_, more, kVarianceRatio);
    return true;
  }

 private:
  // Returns t, a row a window.
  Eigen::MatrixXd coordinates(const Windows& x) const {
    const auto& principal = axes_.principal;
    return stats::product({x, false, principal.centre.data()}, {principal.axes});
  }

  LearntAxes axes_;
};

}  // namespace

std::unique_ptr<Detector> make_mahalanobis(const DetectorOptions&) {
  return std::make_unique<Mahalanobis>();
}

}  // namespace reveal::detect
