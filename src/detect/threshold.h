// From which score on a window is anomalous: two limits of one run's scores, which must both be
// passed. docs/scores.md gives the reasons and the measurements.
//
// The percentile is the paper's, and always flags something. The fence is what makes "no anomaly" a
// possible answer: it says how far out a score must lie, in spreads of the run's middle half, which
// a disturbance of less than a quarter of the windows cannot move much.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "base/result.h"

namespace reveal::detect {

// Tukey's outer fence; short runs get a lower one, see fence_multiplier.
inline constexpr double kFence = 3.0;
inline constexpr double kFenceOff = -1.0;
inline constexpr double kLeastAbove = 10;

struct VerdictOptions {
  double contamination = 0.01;  // expected share of anomalous windows, in (0, 0.5]
  // In interquartile ranges; negative: the percentile alone; nothing: what suits the run's length.
  std::optional<double> fence;

  bool has_fence() const { return !fence || *fence >= 0.0; }

  // Returns the share of a run of that many windows which the percentile leaves above it. With a
  // fence to keep quiet runs quiet, that is never fewer than kLeastAbove windows: a hundredth of a
  // short run is less than one window, which each detector would spend on another disturbance.
  double share_above(Eigen::Index windows) const;

  // Fails with kUsage where contamination is outside (0, 0.5] or a number is NaN or infinite.
  base::Result<void> check() const;
};

// Returns the (1 - contamination) quantile, linear between neighbours as numpy's.
// REQUIRES: finite scores.
double percentile_threshold(const std::vector<double>& sorted, double contamination);

// Where scores are usual, in the scores' own unit.
struct UsualRange {
  double upper_quartile = 0;
  double spread = 0;  // see usual_range

  // Returns the score that lies `multiplier` spreads above the upper quartile.
  double fence(double multiplier) const { return upper_quartile + multiplier * spread; }
};

// Returns the upper quartile and the interquartile range. Where that is zero, as when more than
// half of the scores are equal, the spread is the mean absolute deviation from the median, times
// what makes both equal for a normal distribution. It is never below what rounding does to the
// scores, so scores that are equal in all but their last digits exceed no fence. REQUIRES: finite
// scores.
UsualRange usual_range(const std::vector<double>& sorted);

// Returns the multiplier for a run of that many windows, unless another is asked for: kFence, but
// for short runs no more than log3(windows / 4), at which one window of the run would lie beyond if
// the scores' tail were exponential. That only lowers the fence of runs of under 108 windows.
double fence_multiplier(Eigen::Index windows);

// What must be exceeded, on the scores' scale; fence and reach are NaN where they are off.
struct Limits {
  double threshold = 0;
  double fence = 0;
  double reach = 0;
  double highest = 0;  // of the scores that the limits come from

  double higher() const { return std::fmax(threshold, fence); }
  // What scores as high as anything known passes the percentile, also where ties put the percentile
  // at it, if there is a fence to say whether it is an alarm.
  bool alarm(double score) const {
    if (std::isnan(fence)) return score > threshold;
    return (score > threshold || score >= highest) && score > fence;
  }
};

// Returns the limits that those scores, ascending, set. REQUIRES: options.check(); at least one;
// finite.
Limits limits_of(const std::vector<double>& sorted, const VerdictOptions& options);

// Returns the share of the sorted scores that are no higher.
double quantile_of(double score, const std::vector<double>& sorted);

}  // namespace reveal::detect
