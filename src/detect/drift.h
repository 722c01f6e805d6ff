// Whether the usual values have moved since they were learned, judged by the scores of later
// windows.
//
// While it has not, a later window's score lies anywhere among those that the baseline keeps, which
// were had by held-out windows too: its rank there, 0 to 1, is a half on average, whatever the
// detector and however its scores are distributed. So the mean rank of two minutes says how far
// scores have moved before any of them raises an alarm, upwards or, if what was learned was more
// restless, downwards. docs/evidence/detection_diary.md ("When the usual values are learned again")
// has measurements.
#pragma once

#include <cstddef>
#include <vector>

#include "detect/fitted_baseline.h"

namespace reveal::detect {

// As many windows make a mean rank: forty that share no sample, if each lasts three strides.
inline constexpr std::size_t kDriftWindows = 120;
// What is usual has moved if a mean rank lies farther from a half. That is more than five standard
// deviations of a mean of forty that are independent.
inline constexpr double kMaxDrift = 0.25;

class Drift {
 public:
  // Takes the scores of a window, by detector of that baseline. REQUIRES: the same baseline each
  // time.
  void add(const FittedBaseline& baseline, const std::vector<double>& scores);

  // Returns whether the scores of one detector had moved in kDriftWindows windows on end.
  bool moved() const { return moved_; }

 private:
  std::vector<double> ranks_;  // sums, by detector
  std::size_t windows_ = 0;    // in these
  bool moved_ = false;
};

}  // namespace reveal::detect
