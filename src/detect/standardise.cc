#include "detect/standardise.h"

#include <algorithm>
#include <cmath>

namespace reveal::detect {
namespace {

using Eigen::Index;

// A standard deviation this small, in those of the whole run, is rounding.
constexpr double kStill = 1e-9;

}  // namespace

double limited(double z) {
  const double size = std::abs(z);
  if (size <= kLinear) return z;
  return std::copysign(std::min(kLinear * (1 + std::log(size / kLinear)), kFarthest), z);
}

double standardised(double value, double mean, double scale, bool limit) {
  const double far = value - mean;
  if (!std::isfinite(far)) return 0;
  if (scale > 0) return limit ? limited(far / scale) : far / scale;
  if (!limit || std::abs(far) <= kConstantRatio * std::abs(mean)) return 0;
  return std::copysign(kFarthest, far);
}

Usual usual(const Eigen::MatrixXd& x) {
  Usual out{x.colwise().mean().transpose(), {}};
  const Eigen::MatrixXd centred = x.rowwise() - out.mean.transpose();
  out.deviation = (centred.colwise().squaredNorm() / static_cast<double>(x.rows())).cwiseSqrt();
  return out;
}

Design restandardised(const Design& run, const Eigen::MatrixXd& x, const Usual& rest) {
  Design out;
  out.columns = run.columns;
  out.mean = run.mean + run.scale.cwiseProduct(rest.mean);
  out.scale = run.scale.cwiseProduct(rest.deviation);
  out.x.resize(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    const double deviation = std::max(rest.deviation(j), kStill);
    out.x.col(j) = ((x.col(j).array() - rest.mean(j)) / deviation).unaryExpr(&limited);
  }
  return out;
}

}  // namespace reveal::detect
