#include "work/period.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace reveal::work {
namespace {

constexpr std::size_t kShortest = 4;
constexpr std::size_t kFewestPeriods = 6;  // in what is looked at
constexpr double kQuiet = 0.25;            // of the mean: a lower tick is between two steps
constexpr double kLeastQuietShare = 0.5;
constexpr double kLeastCorrelation = 0.35;

std::vector<double> autocorrelation(std::span<const double> ticks, std::size_t most) {
  const double mean =
      std::accumulate(ticks.begin(), ticks.end(), 0.0) / static_cast<double>(ticks.size());
  std::vector<double> out;
  for (std::size_t lag = 0; lag <= most; ++lag) {
    double sum = 0;
    for (std::size_t i = lag; i < ticks.size(); ++i) {
      sum += (ticks[i] - mean) * (ticks[i - lag] - mean);
    }
    out.push_back(sum);
  }
  const double whole = out.front();
  for (double& one : out) one = whole > 0 ? one / whole : 0;
  return out;
}

// Where the parabola through a peak and its neighbors is highest.
double summit(double before, double peak, double after) {
  const double bend = before - 2 * peak + after;
  return bend < 0 ? (before - after) / (2 * bend) : 0;
}

}  // namespace

std::optional<double> period_of(std::span<const double> ticks) {
  const std::size_t most = ticks.size() / kFewestPeriods;
  if (most <= kShortest) return std::nullopt;
  const double mean =
      std::accumulate(ticks.begin(), ticks.end(), 0.0) / static_cast<double>(ticks.size());
  const auto quiet =
      std::ranges::count_if(ticks, [&](double tick) { return tick < kQuiet * mean; });
  if (static_cast<double>(quiet) < kLeastQuietShare * static_cast<double>(ticks.size())) {
    return std::nullopt;
  }
  const auto r = autocorrelation(ticks, most + 1);
  const double highest =
      *std::max_element(r.begin() + kShortest, r.begin() + static_cast<std::ptrdiff_t>(most) + 1);
  if (highest < kLeastCorrelation) return std::nullopt;
  // Its multiples are peaks too, and may be a little higher.
  for (std::size_t lag = kShortest; lag <= most; ++lag) {
    const bool is_peak = r[lag] >= r[lag - 1] && r[lag] >= r[lag + 1];
    if (is_peak && r[lag] >= 0.7 * highest) {
      return static_cast<double>(lag) + summit(r[lag - 1], r[lag], r[lag + 1]);
    }
  }
  return std::nullopt;
}

}  // namespace reveal::work
