#include "detect/run_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace reveal::detect {
namespace {

using Eigen::Index;

// Moments of good runs, ascending, and what a detector's scores there were.
using Scored = std::vector<std::pair<double, double>>;

Scored in_time_order(const Eigen::VectorXd& moments, const Eigen::VectorXd& scores) {
  Scored out;
  for (Index i = 0; i < moments.size(); ++i) out.emplace_back(moments(i), scores(i));
  std::sort(out.begin(), out.end());
  return out;
}

double highest_near(const Scored& good, double moment, double reach) {
  double out = 0;
  for (auto it = std::lower_bound(good.begin(), good.end(), std::pair(moment - reach, -1.0));
       it != good.end() && it->first <= moment + reach; ++it) {
    out = std::max(out, it->second);
  }
  return out;
}

}  // namespace

Eigen::VectorXd run_moments(const feature::FeatureMatrix& matrix,
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
                                         const Eigen::VectorXd& moments) {
  std::vector<Eigen::VectorXd> out;
  if (baseline.moments.size() == 0) return out;
  // Rounding of moments must not push a neighbor out.
  constexpr double kTolerance = 1e-6;
  const double reach = static_cast<double>(baseline.windows.length_ns) * 1e-9 + kTolerance;
  for (const auto& detector : baseline.detectors) {
    const Scored good = in_time_order(baseline.moments, detector.by_window);
    out.emplace_back(
        moments.unaryExpr([&](double moment) { return highest_near(good, moment, reach); }));
  }
  return out;
}

}  // namespace reveal::detect
