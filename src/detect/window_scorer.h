// Scores one window after the other against a saved baseline, as they come: the verdict on the
// latest window of a live run.
//
// The same scores and limits as ScoredRun::against() and judge() give, but a flag spreads forwards
// only, because later windows are unknown; and scores by elapsed time of a baseline of several runs
// are not used. Not thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/result.h"
#include "detect/fitted_baseline.h"
#include "detect/threshold.h"

namespace reveal::detect {

// What the detectors say of one window, in the registry's order.
struct WindowVerdict {
  std::vector<double> scores;
  std::vector<bool> flagged;
  int agreement = 0;       // votes of those that flag it
  std::vector<int> votes;  // by detector
  // Whether something may be stalled: false if a detector sees saturation and none lies beyond half
  // of what raises an alarm.
  bool stalled = true;
  // By detector: the score beyond which it raises an alarm, the alarm limit or, without one, the
  // contamination limit.
  std::vector<double> limits;
};

// Returns a score in limits: beyond 1 it raises an alarm.
inline double in_limits(double score, double limit) {
  return limit > 0 ? score / limit : 0.0;
}

// Returns how far out a window lies: the score in limits (WindowVerdict::limits) that detectors
// with `asked` votes reach. At 1 these raise an alarm; less is usual.
double strength(const std::vector<double>& scores, const std::vector<double>& limits,
                const std::vector<int>& votes, int asked);

class WindowScorer {
 public:
  // REQUIRES: options.check().
  WindowScorer(std::shared_ptr<const FittedBaseline> baseline, VerdictOptions options);

  // Judges the window in that row of `matrix`. Columns are matched by name when they have become
  // more. Fails as match() does. REQUIRES: the same matrix and channels each time.
  base::Result<WindowVerdict> judge(const feature::FeatureMatrix& matrix,
                                    const model::ChannelTable& channels, std::size_t row);

  // Takes back the flags of the last window: what it began does not spread to the next.
  void silence() { last_.assign(last_.size(), false); }

  // Returns what the last window was to the detectors: a row in the columns and units of the
  // baseline, and which columns of the matrix these are. REQUIRES: judge() succeeded.
  const Design& layout() const { return layout_; }
  const FittedBaseline& baseline() const { return *baseline_; }
  // Returns what that detector's scores must exceed.
  const Limits& limits(std::size_t detector) const { return limits_[detector]; }

 private:
  std::shared_ptr<const FittedBaseline> baseline_;
  std::vector<Limits> limits_;  // by detector
  Design layout_;
  std::size_t known_columns_ = 0;  // of the matrix, when they were matched
  std::vector<bool> last_;         // flags of the window before
};

}  // namespace reveal::detect
