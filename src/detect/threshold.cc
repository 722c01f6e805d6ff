#include "detect/threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "stats/quantile.h"

namespace reveal::detect {
namespace {

// Scores closer than this share of their size are equal but for rounding.
constexpr double kRoundingRatio = 1e-9;

// Interquartile range over standard deviation, and standard deviation over mean absolute deviation,
// of the normal distribution: 2 * 0.674490 and sqrt(pi / 2).
constexpr double kRangePerMeanDeviation = 1.348980 * 1.253314;

double mean_absolute_deviation(const std::vector<double>& sorted) {
  const double middle = stats::median_of_sorted(sorted);
  double sum = 0;
  for (const double score : sorted) sum += std::abs(score - middle);
  return sum / static_cast<double>(sorted.size());
}

}  // namespace

base::Result<void> VerdictOptions::check() const {
  if (!(contamination > 0.0 && contamination <= 0.5)) {
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("contamination {} is not in (0, 0.5]", contamination), {},
                      "give the share of windows expected to be anomalous, such as 0.01");
  }
  if (fence && !std::isfinite(*fence)) {
    return base::fail(
        base::ErrorKind::kUsage, fmt::format("fence {} is not a number", *fence), {},
        "give a number of interquartile ranges, such as 3, or a negative one for none");
  }
  return {};
}

double VerdictOptions::share_above(Eigen::Index windows) const {
  if (!has_fence()) return contamination;
  return std::min(0.5, std::max(contamination, kLeastAbove / static_cast<double>(windows)));
}

double percentile_threshold(const std::vector<double>& sorted, double contamination) {
  return stats::quantile(sorted, 1.0 - contamination);
}

UsualRange usual_range(const std::vector<double>& sorted) {
  const double upper = stats::quantile(sorted, 0.75);
  const double rounding = kRoundingRatio * std::abs(upper);
  double spread = upper - stats::quantile(sorted, 0.25);
  if (spread <= rounding) spread = kRangePerMeanDeviation * mean_absolute_deviation(sorted);
  return {upper, std::max(spread, rounding)};
}

double fence_multiplier(Eigen::Index windows) {
  const double one_expected = std::log(static_cast<double>(windows) / 4.0) / std::log(3.0);
  return std::clamp(one_expected, 0.0, kFence);
}

Limits limits_of(const std::vector<double>& sorted, const VerdictOptions& options) {
  constexpr double kOff = std::numeric_limits<double>::quiet_NaN();
  const auto windows = static_cast<Eigen::Index>(sorted.size());
  Limits out{percentile_threshold(sorted, options.share_above(windows)), kOff, kOff, sorted.back()};
  if (!options.has_fence()) return out;
  const UsualRange usual = usual_range(sorted);
  const double multiplier = options.fence.value_or(fence_multiplier(windows));
  out.fence = usual.fence(multiplier);
  out.reach = usual.fence(multiplier / 2);
  return out;
}

double quantile_of(double score, const std::vector<double>& sorted) {
  const auto above = std::upper_bound(sorted.begin(), sorted.end(), score);
  return static_cast<double>(above - sorted.begin()) / static_cast<double>(sorted.size());
}

}  // namespace reveal::detect
