#include "stats/share_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/mean_error.h"
#include "stats/student_t.h"

namespace reveal::stats {
namespace {

// Returns the x at which I_x(a, b) is `probability`. Each step halves what is left of 0 to 1, and
// the last ones no longer change x.
double beta_quantile(double probability, double a, double b) {
  constexpr int kSteps = 100;
  double low = 0;
  double high = 1;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = (low + high) / 2;
    (incomplete_beta(a, b, middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Returns how many independent trials have the variance of the flags; infinite if it is not known.
double trials_of(const MeanError& of, std::size_t count, double confidence) {
  const double variance = of.error * of.error;
  if (!(of.freedom > 0 && variance > 0)) return std::numeric_limits<double>::infinity();
  const double ratio = student_t_beyond(1 - confidence, static_cast<double>(count) - 1) /
                       student_t_beyond(1 - confidence, of.freedom);
  return of.mean * (1 - of.mean) / variance * ratio * ratio;
}

}  // namespace

Interval binomial_interval(double successes, double trials, double confidence) {
  const double outside = (1 - confidence) / 2;
  const double failures = trials - successes;
  return {successes > 0 ? beta_quantile(outside, successes, failures + 1) : 0,
          failures > 0 ? beta_quantile(1 - outside, successes + 1, failures) : 1};
}

Share share_of(std::span<const double> flags, std::size_t batch, double overlap,
               double confidence) {
  const auto of = mean_error(flags, batch);
  if (flags.empty()) return {of.mean, 0, {}};
  const double most = static_cast<double>(flags.size()) / overlap;
  const double trials = std::min(most, trials_of(of, flags.size(), confidence));
  return {of.mean, trials, binomial_interval(of.mean * trials, trials, confidence)};
}

Interval difference(const Share& first, const Share& second) {
  const double change = second.share - first.share;
  return {
      change - std::hypot(second.share - second.interval.low, first.interval.high - first.share),
      change + std::hypot(second.interval.high - second.share, first.share - first.interval.low)};
}

}  // namespace reveal::stats
