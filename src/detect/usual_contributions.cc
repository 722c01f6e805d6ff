#include "detect/usual_contributions.h"

#include <vector>

#include "detect/evenly_spaced.h"
#include "stats/quantile.h"

namespace reveal::detect {
Eigen::VectorXd usual_contributions(const ScoredRun& run, std::size_t detector,
                                    std::span<const std::size_t> rows) {
  std::vector<Eigen::VectorXd> parts;
  for (const auto row : evenly_spaced(rows, kMaxUsualRows)) {
    parts.push_back(run.contributions(detector, static_cast<Eigen::Index>(row)));
  }
  if (parts.empty()) return {};
  Eigen::VectorXd out(parts.front().size());
  std::vector<double> values(parts.size());
  for (Eigen::Index column = 0; column < out.size(); ++column) {
    for (std::size_t i = 0; i < parts.size(); ++i) values[i] = parts[i][column];
    out[column] = stats::median(values);
  }
  return out;
}

}  // namespace reveal::detect
