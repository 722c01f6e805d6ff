#include "detect/principal_detector.h"

#include <utility>

#include "stats/product.h"

namespace reveal::detect {
namespace {

constexpr double kVarianceRatio = 0.95;

}  // namespace

base::Result<void> PrincipalDetector::fit(const Windows& x) {
  if (auto sound = check_windows(x); !sound) return sound;
  learned_ = std::make_shared<const Learned>(learn_axes(x, kVarianceRatio));
  return {};
}

bool PrincipalDetector::fit_like(const Detector& other) {
  const auto* alike = dynamic_cast<const PrincipalDetector*>(&other);
  if (alike == nullptr) return false;
  learned_ = alike->learned_;
  return true;
}

void PrincipalDetector::save(StateWriter& out) const {
  out.number(learned_->axes.rows);
  out.number(learned_->axes.squares);
  out.vector(principal().center);
  out.vector(principal().variances);
  out.matrix(principal().axes);
}

void PrincipalDetector::load(StateReader& in, Eigen::Index columns) {
  LearnedAxes axes;
  axes.rows = in.number();
  axes.squares = in.number();
  auto& principal = axes.principal;
  principal.center = in.vector();
  principal.variances = in.vector();
  principal.axes = in.matrix();
  if (principal.axes.size() == 0) principal.axes.resize(columns, 0);
  if (principal.center.size() != columns || principal.axes.rows() != columns ||
      principal.axes.cols() != principal.variances.size() || !(axes.rows > 1) ||
      !(principal.variances.array() > 0).all() || !principal.axes.allFinite()) {
    in.fail();
  }
  learned_ = std::make_shared<const Learned>(std::move(axes));
}

bool PrincipalDetector::update(const Windows& more) {
  LearnedAxes axes = learned_->axes;
  add_rows(axes, more, kVarianceRatio);
  learned_ = std::make_shared<const Learned>(std::move(axes));
  return true;
}

Eigen::MatrixXd PrincipalDetector::coordinates(const Windows& x) const {
  const auto made = [&] {
    return stats::product({x, false, principal().center.data()}, {principal().axes});
  };
  if (x.rows() != 1) return made();
  const std::lock_guard lock(learned_->mutex);
  const bool known = learned_->last.size() == x.cols() && learned_->last == x.row(0);
  if (!known) {
    learned_->coordinates = made();
    learned_->last = x.row(0);
  }
  return learned_->coordinates;
}

}  // namespace reveal::detect
