#include "detect/principal_detector.h"

#include <utility>

#include "stats/product.h"

namespace reveal::detect {
namespace {

constexpr double kVarianceRatio = 0.95;

}  // namespace

base::Result<void> PrincipalDetector::fit(const Windows& x) {
  if (auto sound = check_windows(x); !sound) return sound;
  axes_ = std::make_shared<const LearntAxes>(learn_axes(x, kVarianceRatio));
  return {};
}

bool PrincipalDetector::fit_like(const Detector& other) {
  const auto* alike = dynamic_cast<const PrincipalDetector*>(&other);
  if (alike == nullptr) return false;
  axes_ = alike->axes_;
  return true;
}

void PrincipalDetector::save(StateWriter& out) const {
  out.number(axes_->rows);
  out.number(axes_->squares);
  out.vector(axes_->principal.centre);
  out.vector(axes_->principal.variances);
  out.matrix(axes_->principal.axes);
}

void PrincipalDetector::load(StateReader& in, Eigen::Index columns) {
  auto axes = std::make_shared<LearntAxes>();
  axes->rows = in.number();
  axes->squares = in.number();
  auto& principal = axes->principal;
  principal.centre = in.vector();
  principal.variances = in.vector();
  principal.axes = in.matrix();
  if (principal.axes.size() == 0) principal.axes.resize(columns, 0);
  if (principal.centre.size() != columns || principal.axes.rows() != columns ||
      principal.axes.cols() != principal.variances.size() || !(axes->rows > 1) ||
      !(principal.variances.array() > 0).all() || !principal.axes.allFinite()) {
    in.fail();
  }
  axes_ = std::move(axes);
}

bool PrincipalDetector::update(const Windows& more) {
  auto axes = std::make_shared<LearntAxes>(*axes_);
  add_rows(*axes, more, kVarianceRatio);
  axes_ = std::move(axes);
  return true;
}

Eigen::MatrixXd PrincipalDetector::coordinates(const Windows& x) const {
  const auto& principal = axes_->principal;
  return stats::product({x, false, principal.centre.data()}, {principal.axes});
}

}  // namespace reveal::detect
