// What the detectors say about the windows of a run: scores, limits, flags, and how many agree.
//
// A window alarms where its score exceeds both the percentile and the fence of threshold.h. A
// disturbance that lasts longer than the percentile leaves room for would be cut to its worst
// windows, so the flag spreads from an alarming window over adjacent rows for as long as their
// scores stay outside half the fence (Tukey's inner fence, where the outer one is asked for).
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
  Eigen::VectorXd scores;  // by row of the design
  double threshold = 0;    // percentile, on the scores' scale
  double fence = 0;        // on the scores' scale; NaN where switched off
  double reach = 0;        // half the fence: where a flag stops spreading; NaN where switched off
  std::vector<bool> flagged;  // by row
  // By row: the score that an alarming window exceeds, the higher one of threshold and fence. All
  // the same, unless a window was judged by those before it.
  Eigen::VectorXd limits;
  Eigen::VectorXd quantiles;  // by row: share of the reference's windows that score no higher
};

struct Verdict {
  std::vector<DetectorVerdict> detectors;
  std::vector<int> agreement;  // by row: how many detectors flag the window
};

// Returns one detector's verdict on scores in the order of time, beside the scores that say what is
// high, ascending: usually the same ones. REQUIRES: options.check(); at least one of both; all
// finite.
DetectorVerdict judge_scores(std::string_view name, const Eigen::VectorXd& scores,
                             const std::vector<double>& sorted, const VerdictOptions& options);

// Returns the same where each row from `first` on is judged by the rows before it alone: a flag
// spreads forwards only, and rows before `first` are not flagged. Threshold, fence and reach are
// those of the last row. REQUIRES: 0 < first < scores.size().
DetectorVerdict judge_by_past(std::string_view name, const Eigen::VectorXd& scores,
                              Eigen::Index first, const VerdictOptions& options);

// Takes back all flags of the rows for which `silent` is true.
void silence(Verdict& verdict, const std::vector<bool>& silent);

// Returns all detectors' verdicts on the windows of a run. Fails with kUsage on options that make
// no sense.
base::Result<Verdict> judge(const ScoredRun& run, const VerdictOptions& options = {});

}  // namespace reveal::detect
