#include "attribute/excess.h"

#include <utility>
#include <vector>

#include "stats/quantile.h"

namespace reveal::attribute {
namespace {

std::vector<std::size_t> thin(std::span<const std::size_t> rows, std::size_t limit) {
  if (rows.size() <= limit) return {rows.begin(), rows.end()};
  std::vector<std::size_t> out(limit);
  for (std::size_t i = 0; i < limit; ++i) out[i] = rows[i * rows.size() / limit];
  return out;
}

}  // namespace

ExcessContributions::ExcessContributions(const detect::Detector& detector,
                                         const detect::Design& design,
                                         std::span<const std::size_t> baseline_rows)
    : detector_(detector), design_(design), usual_(Eigen::VectorXd::Zero(design.x.cols())) {
  const auto rows = thin(baseline_rows, kMaxRows);
  if (rows.empty()) return;
  Eigen::MatrixXd parts(static_cast<Eigen::Index>(rows.size()), design.x.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    parts.row(static_cast<Eigen::Index>(i)) =
        detector.contributions(design, static_cast<Eigen::Index>(rows[i]));
  }
  for (Eigen::Index column = 0; column < parts.cols(); ++column) {
    const auto values = parts.col(column);
    usual_[column] = stats::median(std::vector<double>(values.begin(), values.end()));
  }
}

Eigen::VectorXd ExcessContributions::shares(std::size_t row) const {
  Eigen::VectorXd excess =
      (detector_.contributions(design_, static_cast<Eigen::Index>(row)) - usual_).cwiseMax(0.0);
  const double total = excess.sum();
  if (total > 0) excess /= total;
  return excess;
}

}  // namespace reveal::attribute
