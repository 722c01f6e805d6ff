// Runs of known truth for tests: quiet ones that look like overlapping windows of a host, and ones
// with a disturbance planted in known windows and columns. Only tests include this.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <Eigen/Core>

#include "base/rng.h"
#include "detect/design.h"

namespace reveal::detect {

class SyntheticRun {
 public:
  explicit SyntheticRun(std::uint64_t seed) : rng_(seed) {}

  // Normal values, independent (Box and Muller's transform).
  Eigen::MatrixXd noise(Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [this] {
      const double radius = std::sqrt(-2.0 * std::log(1.0 - rng_.uniform()));
      return radius * std::cos(2.0 * std::numbers::pi * rng_.uniform());
    });
  }

  // Windows of 3 s every 1 s: each row shares two thirds with the next. Columns follow a few common
  // causes, as the channels of a host follow its load, and have noise of their own.
  Eigen::MatrixXd quiet(Eigen::Index rows, Eigen::Index columns) {
    constexpr Eigen::Index kCauses = 6;
    // One after the other: in one expression each compiler would draw them in an order of its own.
    const Eigen::MatrixXd own = overlapping(rows, columns);
    const Eigen::MatrixXd weights = noise(kCauses, columns);
    return overlapping(rows, kCauses) * weights * 0.5 + own;
  }

  // Lifts `columns` by up to `height` for a disturbance of 5 s: the 7 windows that overlap it, by
  // how much they do.
  static void plant_burst(Eigen::MatrixXd& x, Eigen::Index first_row, Eigen::Index columns,
                          double height) {
    constexpr double kOverlap[] = {1.0 / 3, 2.0 / 3, 1, 1, 1, 2.0 / 3, 1.0 / 3};
    for (const double overlap : kOverlap) {
      x.row(first_row++).head(columns).array() += height * overlap;
    }
  }

 private:
  Eigen::MatrixXd overlapping(Eigen::Index rows, Eigen::Index columns) {
    const Eigen::MatrixXd e = noise(rows + 2, columns);
    return (e.topRows(rows) + e.middleRows(1, rows) + e.bottomRows(rows)) / std::sqrt(3.0);
  }

  base::Rng rng_;
};

// Returns a feature matrix of those values: column j is feature 0 of channel j.
inline feature::FeatureMatrix to_feature_matrix(const Eigen::MatrixXd& x) {
  feature::FeatureMatrix out;
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    out.add_column({model::ChannelId(static_cast<std::size_t>(j)), feature::FeatureId(0)});
  }
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    auto& row = out.add_row({});
    for (Eigen::Index j = 0; j < x.cols(); ++j) row[static_cast<std::size_t>(j)] = x(i, j);
  }
  return out;
}

inline Design to_design(const Eigen::MatrixXd& x) {
  return make_design(to_feature_matrix(x)).value();
}

}  // namespace reveal::detect
