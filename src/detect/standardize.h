// The distance of a value from the usual, as the detectors see it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include <Eigen/Core>

#include "detect/design.h"

namespace reveal::detect {

// Deviations from the rest beyond kLinear standard deviations count with their logarithm: against
// an untouched rest a disturbance may lie thousands out in one column, and must neither outweigh
// all others nor look the same as one that lies ten out. A column that was constant in the rest
// would be infinitely far out; no deviation counts more than kFarthest (5500 standard deviations).
inline constexpr double kLinear = 5.0;
inline constexpr double kFarthest = 40.0;

// Returns z with that limit.
inline double limited(double z) {
  const double size = std::abs(z);
  if (size <= kLinear) return z;
  return std::copysign(std::min(kLinear * (1 + std::log(size / kLinear)), kFarthest), z);
}

// Returns the z whose limited() is that; of kFarthest the least one.
inline double without_limit(double limited) {
  const double size = std::abs(limited);
  if (size <= kLinear) return limited;
  return std::copysign(kLinear * std::exp(std::min(size, kFarthest) / kLinear - 1), limited);
}

// Returns (value - mean) / scale, limited if asked for; 0 if that is not finite. If `scale` is 0
// and there is a limit, a value that differs from the mean by more than rounding is infinitely far
// out.
inline double standardized(double value, double mean, double scale, bool limit) {
  const double far = value - mean;
  if (!std::isfinite(far)) return 0;
  if (scale > 0) {
    const double z = far / scale;
    if (limit) return limited(z);
    return std::isfinite(z) ? z : 0;
  }
  if (!limit || std::abs(far) <= kConstantRatio * std::abs(mean)) return 0;
  return std::copysign(kFarthest, far);
}

// Mean and standard deviation (population formula) of the columns of a design.
struct Usual {
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
};

// Counts, means and squares of columns over some rows, which can be put together: those of all rows
// but some are made of those before and those after, without looking at them again.
class ColumnMoments {
 public:
  explicit ColumnMoments(Eigen::Index columns = 0)
      : mean_(Eigen::VectorXd::Zero(columns)), squares_(Eigen::VectorXd::Zero(columns)) {}

  // Adds `count` rows of x from `first` on.
  void add(const Windows& x, Eigen::Index first, Eigen::Index count);
  void add(const ColumnMoments& other);
  // REQUIRES: at least one row.
  Usual usual() const;

 private:
  double rows_ = 0;
  Eigen::VectorXd mean_;
  Eigen::VectorXd squares_;  // of the deviations from the mean, summed
};

// Writes the given rows of `x`, in standard deviations of the rest instead of the run and limited,
// to `out`, which may be those rows themselves. REQUIRES: out has as many rows and columns.
void restandardize(const Windows& x, std::span<const Eigen::Index> rows, const Usual& rest,
                   stats::MatrixPart out);

}  // namespace reveal::detect
