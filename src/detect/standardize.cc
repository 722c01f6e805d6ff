#include "detect/standardize.h"

#include <algorithm>

namespace reveal::detect {
namespace {

using Eigen::Index;

// A standard deviation this small, in those of the whole run, is rounding.
constexpr double kStill = 1e-9;

}  // namespace

void ColumnMoments::add(const Windows& x, Index first, Index count) {
  if (count == 0) return;
  ColumnMoments more(x.cols());
  more.rows_ = static_cast<double>(count);
  for (Index j = 0; j < x.cols(); ++j) {
    const auto part = x.col(j).segment(first, count).array();
    more.mean_(j) = part.mean();
    more.squares_(j) = (part - more.mean_(j)).square().sum();
  }
  add(more);
}

// Chan, Golub, LeVeque: Updating Formulae (1979).
void ColumnMoments::add(const ColumnMoments& other) {
  if (other.rows_ == 0) return;
  const double total = rows_ + other.rows_;
  const Eigen::VectorXd between = other.mean_ - mean_;
  squares_ += other.squares_ + between.cwiseAbs2() * (rows_ * other.rows_ / total);
  mean_ += between * (other.rows_ / total);
  rows_ = total;
}

Usual ColumnMoments::usual() const {
  return {mean_, (squares_ / rows_).cwiseSqrt()};
}

void restandardize(const Windows& x, std::span<const Index> rows, const Usual& rest,
                   stats::MatrixPart out) {
  for (Index j = 0; j < x.cols(); ++j) {
    const double mean = rest.mean(j);
    const double scale = 1 / std::max(rest.deviation(j), kStill);
    const double* from = x.col(j).data();
    double* to = out.col(j).data();
    for (const Index row : rows) *to++ = limited((from[row] - mean) * scale);
  }
}

}  // namespace reveal::detect
