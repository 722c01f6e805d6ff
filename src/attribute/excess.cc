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

ExcessContributions::ExcessContributions(const detect::ScoredRun& run, std::size_t detector,
                                         std::span<const std::size_t> baseline_rows)
    : run_(run), detector_(detector) {
  const auto rows = thin(baseline_rows, kMaxRows);
  std::vector<Eigen::VectorXd> parts;
  parts.reserve(rows.size());
  for (const auto row : rows) {
    parts.push_back(run.contributions(detector, static_cast<Eigen::Index>(row)));
  }
  if (parts.empty()) return;
  usual_.resize(parts.front().size());
  std::vector<double> values(parts.size());
  for (Eigen::Index column = 0; column < usual_.size(); ++column) {
    for (std::size_t i = 0; i < parts.size(); ++i) values[i] = parts[i][column];
    usual_[column] = stats::median(values);
  }
}

Eigen::VectorXd ExcessContributions::shares(std::size_t row) const {
  Eigen::VectorXd excess = run_.contributions(detector_, static_cast<Eigen::Index>(row));
  if (usual_.size() > 0) excess -= usual_;
  excess = excess.cwiseMax(0.0);
  const double total = excess.sum();
  if (total > 0) excess /= total;
  return excess;
}

}  // namespace reveal::attribute
