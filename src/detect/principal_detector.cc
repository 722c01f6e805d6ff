#include "detect/principal_detector.h"

#include <utility>

#include "stats/product.h"

namespace reveal::detect {
namespace {

constexpr double kVarianceRatio = 0.95;

}  // namespace

base::Result<void> PrincipalDetector::fit(const Windows& x) {
  if (auto sound = check_windows(x); !sound) return sound;
  learnt_ = std::make_shared<const Learnt>(learn_axes(x, kVarianceRatio));
  return {};
}

bool PrincipalDetector::fit_like(const Detector& other) {
  const auto* alike = dynamic_cast<const PrincipalDetector*>(&other);
  if (alike == nullptr) return false;
  learnt_ = alike->learnt_;
  return true;
}

void PrincipalDetector::save(StateWriter& out) const {
  out.number(learnt_->axes.rows);
  out.number(learnt_->axes.squares);
  out.vector(principal().centre);
  out.vector(principal().variances);
  out.matrix(principal().axes);
}

void PrincipalDetector::load(StateReader& in, Eigen::Index columns) {
  LearntAxes axes;
  axes.rows = in.number();
  axes.squares = in.number();
  auto& principal = axes.principal;
  principal.centre = in.vector();
  principal.variances = in.vector();
  principal.axes = in.matrix();
  if (principal.axes.size() == 0) principal.axes.resize(columns, 0);
  if (principal.centre.size() != columns || principal.axes.rows() != columns ||
      principal.axes.cols() != principal.variances.size() || !(axes.rows > 1) ||
      !(principal.variances.array() > 0).all() || !principal.axes.allFinite()) {
    in.fail();
  }
  learnt_ = std::make_shared<const Learnt>(std::move(axes));
}

bool PrincipalDetector::update(const Windows& more) {
  LearntAxes axes = learnt_->axes;
  add_rows(axes, more, kVarianceRatio);
  learnt_ = std::make_shared<const Learnt>(std::move(axes));
  return true;
}

Eigen::MatrixXd PrincipalDetector::coordinates(const Windows& x) const {
  const auto made = [&] {
    return stats::product({x, false, principal().centre.data()}, {principal().axes});
  };
  if (x.rows() != 1) return made();
  const std::lock_guard lock(learnt_->mutex);
  const bool known = learnt_->last.size() == x.cols() && learnt_->last == x.row(0);
  if (!known) {
    learnt_->coordinates = made();
    learnt_->last = x.row(0);
  }
  return learnt_->coordinates;
}

}  // namespace reveal::detect
