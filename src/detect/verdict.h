// The detectors' verdict on the windows of a run: scores, limits, flags, and agreement.
//
// A window alarms if its score exceeds the alarm limit of threshold.h. A fault lasts, and chance
// seldom does. So a run's own windows alarm only if both the window's score and the mean score of
// it and its neighbors exceed their alarm limits. A single sample raises all windows that hold
// it, and still counts. The flag spreads from an alarming window over adjacent rows for as long
// as their scores stay outside half the threshold, so a disturbance is not cut to its worst
// windows. Nothing of this reaches over a gap of the recording (VerdictOptions::stretches). Without
// an alarm limit a window alarms if its score exceeds the percentile: the
// paper's rule.
#pragma once

#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "base/result.h"
#include "detect/scored_run.h"
#include "detect/threshold.h"

namespace reveal::detect {

struct DetectorVerdict {
  std::string_view name;
  int votes = 1;           // that its flag is
  Eigen::VectorXd scores;  // by row of the design
  // By row: what is compared with the limit: the score or, if windows are taken together, the
  // lesser of it and their mean.
  Eigen::VectorXd judged;
  double contamination_limit = 0;  // percentile, on the scores' scale
  double alarm_limit = 0;          // of scores or of their means; NaN where switched off
  double hysteresis_limit =
      0;  // half the threshold: where a flag stops spreading; NaN where switched off
  std::vector<bool> flagged;  // by row
  // By row: what an alarming window exceeds, the alarm limit or, without one, the contamination
  // limit. All the same, unless a window was judged by those before it or good runs score higher at
  // its moment.
  Eigen::VectorXd limits;
  Eigen::VectorXd quantiles;  // by row: share of the reference's windows that score no higher
};

struct Verdict {
  std::vector<DetectorVerdict> detectors;
  std::vector<int> agreement;  // by row: votes of the detectors that flag the window
  std::vector<bool> silent;    // by row: raises no alarm, whatever it is; empty: none
};

// The scores that say what is high.
struct Reference {
  std::vector<double> sorted;  // ascending
  bool of_others = false;      // than those that are judged
  // By row, what is usual at that moment: a limit is never below it. Empty: nothing is known.
  Eigen::VectorXd peaks = {};
};

// Returns one detector's verdict on scores in the order of time. REQUIRES: options.check(); at
// least one of both; all finite.
DetectorVerdict judge_scores(std::string_view name, const Eigen::VectorXd& scores,
                             const Reference& reference, const VerdictOptions& options);

// Returns the same if the scores themselves say what is high, and options.neighbors of them on
// either side are taken together. REQUIRES: as judge_scores().
DetectorVerdict judge_by_itself(std::string_view name, const Eigen::VectorXd& scores,
                                const VerdictOptions& options);

// Returns the same if each row from `first` on is judged by the rows before it alone: a flag
// spreads forwards only, and rows before `first` are not flagged. Contamination limit, alarm limit
// and hysteresis limit are those of the last row. REQUIRES: 0 < first < scores.size().
DetectorVerdict judge_by_past(std::string_view name, const Eigen::VectorXd& scores,
                              Eigen::Index first, const VerdictOptions& options);

// Takes back all flags of the rows for which `silent` is true, of which there is one a row, and
// what spread from them to later rows, none of which raises an alarm by itself.
void silence(Verdict& verdict, std::vector<bool> silent);

// Returns all detectors' verdicts on the windows of a run. Fails with kUsage on options that make
// no sense.
base::Result<Verdict> judge(const ScoredRun& run, const VerdictOptions& options = {});

}  // namespace reveal::detect
