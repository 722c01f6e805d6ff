#include "detect/elapsed.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace reveal::detect {
namespace {

using Eigen::Index;

// Elapsed times of good runs, ascending, with the scores of a detector.
using Scored = std::vector<std::pair<double, double>>;

Scored in_time_order(const Eigen::VectorXd& elapsed_s, const Eigen::VectorXd& scores) {
  Scored out;
  for (Index i = 0; i < elapsed_s.size(); ++i) out.emplace_back(elapsed_s(i), scores(i));
  std::sort(out.begin(), out.end());
  return out;
}

double highest_near(const Scored& good, double at_s, double reach) {
  double out = 0;
  for (auto it = std::lower_bound(good.begin(), good.end(), std::pair(at_s - reach, -1.0));
       it != good.end() && it->first <= at_s + reach; ++it) {
    out = std::max(out, it->second);
  }
  return out;
}

}  // namespace

Eigen::VectorXd elapsed_seconds(const feature::FeatureMatrix& matrix,
                                const std::vector<Index>& first_rows) {
  Eigen::VectorXd out(static_cast<Index>(matrix.row_count()));
  std::size_t run = 0;
  for (Index row = 0; row < out.size(); ++row) {
    while (run + 1 < first_rows.size() && first_rows[run + 1] <= row) ++run;
    const auto start = matrix.window(static_cast<std::size_t>(first_rows[run])).begin_ns;
    const auto begin = matrix.window(static_cast<std::size_t>(row)).begin_ns;
    out(row) = static_cast<double>(begin - start) * 1e-9;
  }
  return out;
}

std::vector<Eigen::VectorXd> usual_peaks(const FittedBaseline& baseline,
                                         const Eigen::VectorXd& elapsed_s) {
  std::vector<Eigen::VectorXd> out;
  if (baseline.elapsed_s.size() == 0) return out;
  // Rounding of times must not push a neighbor out.
  constexpr double kTolerance = 1e-6;
  const double reach = static_cast<double>(baseline.windows.length_ns) * 1e-9 + kTolerance;
  for (const auto& detector : baseline.detectors) {
    const Scored good = in_time_order(baseline.elapsed_s, detector.by_window);
    out.emplace_back(
        elapsed_s.unaryExpr([&](double at_s) { return highest_near(good, at_s, reach); }));
  }
  return out;
}

}  // namespace reveal::detect
