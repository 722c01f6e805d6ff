// The score from which a window is anomalous. docs/scores.md has reasons and measurements.
//
// The percentile is the paper's, and always flags something. The alarm limit makes "no anomaly" a
// possible answer: it is a distance in spreads of the run's lower half, which no disturbance
// reaches, because disturbances raise scores.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "base/result.h"

namespace reveal::detect {

// How many robust standard deviations above the median of a run's scores a window's must lie.
struct Threshold {
  enum class Mode : std::uint8_t {
    kAuto,   // what suits the run's length
    kOff,    // none: the percentile alone
    kFixed,  // `sigmas`
  };
  Mode mode = Mode::kAuto;
  double sigmas = 0;  // with kFixed: at least 0

  static constexpr Threshold fixed(double sigmas) { return {Mode::kFixed, sigmas}; }
  friend bool operator==(const Threshold&, const Threshold&) = default;
};

inline constexpr Threshold kThresholdOff{Threshold::Mode::kOff};

// Returns what "auto", "off" or a number from 0 to a million means. Fails with kUsage for anything
// else.
base::Result<Threshold> parse_threshold(std::string_view text);
std::string to_string(const Threshold& threshold);

struct VerdictOptions {
  // With the threshold off: expected share of anomalous windows, in (0, 0.5].
  double contamination = 0.01;
  Threshold threshold = {};
  // How many windows on either side of one share samples with it or touch it.
  Eigen::Index neighbors = 0;
  // The least spread that scores can have (Detector::resolution).
  double resolution = 0;
  // Whether what is usual is told by windows beside which nothing is flagged.
  bool by_calm = false;
  // How many windows begin in a day; a run by itself is judged as no longer than that.
  Eigen::Index a_day = std::numeric_limits<Eigen::Index>::max();
  // Of a part of a longer run: how many windows that has up to the part's end. The part is judged
  // as a run as long as that, for else a run would have as many false alarms as it has parts.
  Eigen::Index so_far = 0;
  // The first windows of stretches between which nothing was recorded, ascending; at most one: a
  // whole run. Nothing is known of a fault on the other side of such a gap.
  std::vector<Eigen::Index> stretches = {};

  bool has_threshold() const { return threshold.mode != Threshold::Mode::kOff; }

  // Fails with kUsage if contamination is outside (0, 0.5] or a number is NaN or infinite.
  base::Result<void> check() const;
};

// Returns the (1 - contamination) quantile, linear between neighbors as numpy's.
// REQUIRES: finite scores.
double percentile_limit(const std::vector<double>& sorted, double contamination);

// Where scores are usual, in the scores' own unit.
struct UsualRange {
  double center = 0;
  double spread = 0;  // see usual_range

  // Returns the score that lies `threshold` spreads above the center.
  double limit(double threshold) const { return center + threshold * spread; }
};

// Returns the median, and how far below it the lowest sixth ends (a normal distribution's standard
// deviation). If that is zero, as when many scores are equal, the spread is the mean absolute
// deviation from the median, times what makes both equal for a normal distribution. It is never
// below what rounding does to the scores, so scores that are equal in all but their last digits
// exceed no alarm limit, and never below `least_spread`. REQUIRES: finite scores.
UsualRange usual_range(const std::vector<double>& sorted, double least_spread = 0);

// Returns the multiplier for a run of that many windows, unless another is asked for. It grows as
// the highest of so many scores does if their tail is exponential, so a long run has no more false
// alarms than a short one.
double automatic_threshold(Eigen::Index windows);

// Returns where a score begins to say something: half of the alarm limit or, without one, the
// limit.
inline double least_of_interest(double hysteresis_limit, double limit) {
  return std::isnan(hysteresis_limit) ? limit : hysteresis_limit;
}

// Returns whether a score of the detector that sees saturation says that work is stalled. In doubt
// it is: half of what raises an alarm is enough.
inline bool says_stalled(double score, double hysteresis_limit, double limit) {
  return score > least_of_interest(hysteresis_limit, limit);
}

// What must be exceeded, on the scores' scale; alarm limit and hysteresis limit are NaN if they are
// off.
struct Limits {
  double contamination_limit = 0;  // the percentile
  double alarm_limit = 0;
  double hysteresis_limit = 0;  // half the threshold

  // Returns the one that counts.
  double limit() const { return std::isnan(alarm_limit) ? contamination_limit : alarm_limit; }
  bool alarm(double score) const { return score > limit(); }
};

// Other windows than those that set the limits are judged for as long as it takes: as in a run of
// no fewer windows than these.
inline constexpr Eigen::Index kMinOthers = 300;

// A run by itself of days is judged as one of a day, and may have as few false alarms in each, but
// as no fewer windows than these, however far apart they begin.
inline constexpr Eigen::Index kMinOfADay = 150;

// Windows that share samples with more neighbors than those of 3 s every 1 s say less each, and few
// of them tell little of the spread of scores. A run of such windows is judged as no fewer than
// these.
inline constexpr Eigen::Index kUsualNeighbors = 3;
inline constexpr Eigen::Index kMinOverlapping = 90;

// Returns how long a run is judged as: by that many scores, of itself or of others.
Eigen::Index windows_judged(const VerdictOptions& options, std::size_t scores,
                            bool for_others = false);

// Returns the multiplier that is asked for, or what suits a run of that many windows.
double threshold_of(const VerdictOptions& options, Eigen::Index windows);

// Returns the limits that those scores, ascending, set for them or, if asked for, for others.
// REQUIRES: options.check(); at least one; finite.
Limits limits_of(const std::vector<double>& sorted, const VerdictOptions& options,
                 bool for_others = false);

// Returns the share of the sorted scores that are no higher.
double quantile_of(double score, const std::vector<double>& sorted);

// Returns the share of the sorted scores that are lower, and half of the share of those that are
// equal. REQUIRES: at least one.
double mid_rank(double score, const std::vector<double>& sorted);

}  // namespace reveal::detect
