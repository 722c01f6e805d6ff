// The usual values of one run or several: the fitted detectors, the scores of the runs' own
// windows, and the usual value and part of every column. Windows of later runs with the same
// channels are scored against it, alone or by the thousand, without another fit and, except for
// rounding, with the same result.
//
// A window of another run is held out: no detector was fitted on it. So the scores that decide what
// is high are not those of the windows that the detectors were fitted on, which are too low, but of
// the baseline's windows scored by detectors that have not seen them (ScoredRun::score_held_out);
// with Baseline::kRun, as in the paper, they are. Each of several runs is scored by the others, so
// differences between two good runs are not news in a third.
//
// Immutable once made, so it may be shared between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "base/result.h"
#include "detect/finding_at_end.h"
#include "detect/scored_run.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "model/fingerprint.h"
#include "window/window_view.h"

namespace reveal::detect {

// Where a baseline comes from.
struct BaselineOrigin {
  std::string host;
  std::string command;         // that was watched; empty: the host alone
  std::string reveal_version;  // that fitted it
  std::int64_t begin_ns = 0;   // wall time of its first window
  std::int64_t end_ns = 0;     // and of the end of its last
  std::uint64_t windows = 0;
  std::uint64_t runs = 1;
  std::vector<model::Fingerprint> made_of;  // its runs; none if they were not to be recognized
  std::uint64_t accepted_findings = 0;      // that its runs have, but that were said to be usual
};

// Returns the share of a run's frames that a baseline was made of, 0 to 1.
double share_in(const model::Fingerprint& run, const BaselineOrigin& baseline);

struct BaselineColumn {
  std::string channel;
  std::string feature;
  double mean = 0;   // in the feature's unit
  double scale = 0;  // standard deviation, population formula; 0: it never moved
  double median = 0;
  double mad = 0;    // median absolute deviation
  double least = 0;  // SaturationColumns::least; 0 where it is none of them
};

struct FittedBaseline {
  BaselineOrigin origin;
  window::WindowSpec windows;
  std::vector<std::string> dynamic_features;  // that were chosen (feature::FeatureChoice)
  std::vector<std::string> event_features;
  Baseline kind = Baseline::kRest;
  std::vector<BaselineColumn> columns;
  std::vector<FittedDetector> detectors;  // in the order of the registry
  std::vector<Eigen::VectorXd> usual;     // by detector and column: median part in the score
  Eigen::VectorXd elapsed_s;  // of several runs, by window: elapsed_seconds(); none of one
  // How many of the last windows are a finding that goes on, if FitOptions::findings asked for it;
  // not saved.
  std::size_t in_finding_at_end = 0;

  // Returns whether its detectors know what lies far out by its logarithm only.
  bool limits() const { return kind == Baseline::kRest; }
};

struct FitOptions {
  std::vector<bool> channels;  // as DesignOptions
  Baseline kind = Baseline::kRest;
  DetectorOptions detectors;
  // With kRest, how the baseline's own windows are scored, which is most of the work.
  HeldOutOptions held_out = {};
  // Medians, of columns and of parts, are of at most so many windows, evenly spaced.
  std::size_t medians_of = std::numeric_limits<std::size_t>::max();
  // If set, the baseline tells whether its windows end inside a finding.
  std::optional<FindingOptions> findings = {};
};

// Returns the baseline that those windows make; what is not about columns and detectors is left for
// the caller to fill in. With kRest, columns that never moved are kept: that they move is news.
// Fails with kTooLittle on fewer windows than kRest needs to score a held-out window, or if nothing
// varied. The matrix is freed before most of the work: who needs it no more moves it in.
base::Result<FittedBaseline> fit_baseline(feature::FeatureMatrix matrix,
                                          const model::ChannelTable& channels,
                                          const FitOptions& options);

// A run's windows as the detectors of a baseline see them.
struct MatchedRun {
  Design design;                          // columns that the run lacks are kAbsentColumn
  std::vector<std::string> absent;        // channels of the baseline that the run lacks
  std::vector<model::ChannelId> unknown;  // channels of the run that the baseline lacks
};

// Maps columns by the names of channel and feature. Fails with kUsage if the run has less than half
// of the channels that moved in the baseline: such a run is another kind of host.
base::Result<MatchedRun> match(const FittedBaseline& baseline, const feature::FeatureMatrix& matrix,
                               const model::ChannelTable& channels);

// Returns the same but for the windows, which are left out.
base::Result<MatchedRun> match_columns(const FittedBaseline& baseline,
                                       const feature::FeatureMatrix& matrix,
                                       const model::ChannelTable& channels);

// Returns the baseline that has learned a matched run as well: detectors are updated, not fitted
// anew, the run's scores before that join those that say what is high, and what is usual is weighed
// by windows. Fails with kTooLittle if the run is too short for a detector to learn from.
// `elapsed_s` has those of the run's windows (elapsed_seconds()). Of a baseline of one run, what it
// knows counts as no more than `most_known` windows beside the run's, so that it forgets.
base::Result<FittedBaseline> learn(
    const FittedBaseline& baseline, const Design& run, const Eigen::VectorXd& elapsed_s,
    std::size_t most_known = std::numeric_limits<std::size_t>::max());

}  // namespace reveal::detect
