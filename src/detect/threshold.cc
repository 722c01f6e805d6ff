#include "detect/threshold.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "stats/quantile.h"

namespace reveal::detect {
namespace {

// Scores closer than this share of their size are equal but for rounding.
constexpr double kRoundingRatio = 1e-9;

// What share of a normal distribution lies more than a standard deviation below its mean.
constexpr double kLowestSixth = 0.158655;

// Standard deviation over mean absolute deviation of the normal distribution: sqrt(pi / 2).
constexpr double kSpreadPerMeanDeviation = 1.253314;

// Spreads to a factor of three in a run's length, which counts from four windows on: chosen by the
// lab and by quiet runs (docs/evidence/detection_diary.md).
constexpr double kSpreadsPerTripling = 1.4;

constexpr double kMaxSigmas = 1e6;

double mean_absolute_deviation(const std::vector<double>& sorted) {
  const double middle = stats::median_of_sorted(sorted);
  double sum = 0;
  for (const double score : sorted) sum += std::abs(score - middle);
  return sum / static_cast<double>(sorted.size());
}

}  // namespace

base::Result<Threshold> parse_threshold(std::string_view text) {
  if (text == "auto") return Threshold{};
  if (text == "off") return kThresholdOff;
  double sigmas = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sigmas);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (whole && sigmas >= 0 && sigmas <= kMaxSigmas) return Threshold::fixed(sigmas);
  return base::fail(base::ErrorKind::kUsage, "is not a number from 0, auto or off",
                    std::string(text));
}

std::string to_string(const Threshold& threshold) {
  if (threshold.mode == Threshold::Mode::kFixed) return fmt::format("{}", threshold.sigmas);
  return threshold.mode == Threshold::Mode::kOff ? "off" : "auto";
}

base::Result<void> VerdictOptions::check() const {
  if (!(contamination > 0.0 && contamination <= 0.5)) {
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("contamination {} is not in (0, 0.5]", contamination), {},
                      "give the share of windows expected to be anomalous, such as 0.01");
  }
  if (threshold.mode == Threshold::Mode::kFixed &&
      !(std::isfinite(threshold.sigmas) && threshold.sigmas >= 0)) {
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("threshold {} is not a number from 0", threshold.sigmas), {},
                      "give a number of robust standard deviations, such as 4");
  }
  return {};
}

double percentile_limit(const std::vector<double>& sorted, double contamination) {
  return stats::quantile(sorted, 1.0 - contamination);
}

UsualRange usual_range(const std::vector<double>& sorted, double least_spread) {
  const double middle = stats::median_of_sorted(sorted);
  const double rounding = kRoundingRatio * std::abs(middle);
  double spread = middle - stats::quantile(sorted, kLowestSixth);
  if (spread <= rounding) spread = kSpreadPerMeanDeviation * mean_absolute_deviation(sorted);
  return {middle, std::max({spread, rounding, least_spread})};
}

double automatic_threshold(Eigen::Index windows) {
  const double triplings = std::log(static_cast<double>(windows) / 4.0) / std::log(3.0);
  return kSpreadsPerTripling * std::max(triplings, 0.0);
}

double threshold_of(const VerdictOptions& options, Eigen::Index windows) {
  const auto& chosen = options.threshold;
  return chosen.mode == Threshold::Mode::kFixed ? chosen.sigmas : automatic_threshold(windows);
}

Eigen::Index windows_judged(const VerdictOptions& options, std::size_t scores, bool for_others) {
  const auto known = static_cast<Eigen::Index>(scores);
  if (for_others) return std::max(known, kMinOthers);
  const auto most = std::max(options.a_day, kMinOfADay);
  const auto judged = std::min(std::max(known, options.so_far), most);
  return options.neighbors > kUsualNeighbors ? std::max(judged, kMinOverlapping) : judged;
}

Limits limits_of(const std::vector<double>& sorted, const VerdictOptions& options,
                 bool for_others) {
  constexpr double kOff = std::numeric_limits<double>::quiet_NaN();
  Limits out{percentile_limit(sorted, options.contamination), kOff, kOff};
  if (!options.has_threshold()) return out;
  const UsualRange usual = usual_range(sorted, options.resolution);
  const double multiplier =
      threshold_of(options, windows_judged(options, sorted.size(), for_others));
  out.alarm_limit = usual.limit(multiplier);
  out.hysteresis_limit = usual.limit(multiplier / 2);
  return out;
}

double quantile_of(double score, const std::vector<double>& sorted) {
  const auto above = std::upper_bound(sorted.begin(), sorted.end(), score);
  return static_cast<double>(above - sorted.begin()) / static_cast<double>(sorted.size());
}

double mid_rank(double score, const std::vector<double>& sorted) {
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), score);
  const double lower =
      static_cast<double>(first - sorted.begin()) / static_cast<double>(sorted.size());
  return (lower + quantile_of(score, sorted)) / 2;
}

}  // namespace reveal::detect
