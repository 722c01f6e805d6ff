// From flagged windows to findings: merges neighbors, asks each detector which columns lifted its
// score, compares these columns with the rest of the run, and says the result in a sentence.
#pragma once

#include <optional>
#include <vector>

#include "attribute/attributor.h"
#include "attribute/finding.h"
#include "attribute/finding_rule.h"
#include "attribute/harm.h"
#include "detect/fitted_baseline.h"
#include "detect/scored_run.h"
#include "detect/verdict.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "window/tick_history.h"

namespace reveal::attribute {

struct AttributionOptions {
  FindingRule rule = {};
  EvidenceLimits evidence = {};
  // Whether a job's slowdown flags windows by itself, if a detector sees saturation. Who sets a
  // threshold of their own decides what is a finding by that alone.
  bool slow_jobs = true;
};

struct AttributionInput {
  const model::ChannelTable& channels;  // derived channels
  const feature::FeatureMatrix& matrix;
  const detect::ScoredRun& run;
  const detect::Verdict& verdict;
  // Set if windows were scored against a saved baseline: evidence is then compared with it instead
  // of the run's other windows.
  const detect::FittedBaseline* saved = nullptr;
  // What jobs got done meanwhile; empty if that is not known.
  std::vector<JobHistory> jobs = {};
  const model::ProcessTimeline* processes = nullptr;  // null: nothing is known of them
  // The run's ticks, by which begins and ends are refined (edges.h); null if there are none.
  const window::TickHistory* ticks = nullptr;
  bool begins_run = true;  // whether the first window is the run's
};

// The findings, in time order; empty is a valid answer.
struct Attributed {
  std::vector<Finding> findings;
  // Nothing was stalled in these, as far as the host can tell: a workload's own behavior. If no
  // detector sees saturation, or the host has no pressure metrics, all are findings.
  std::vector<Finding> changes;
  std::vector<Finding> low_confidence;  // chance makes too many of them
  // Findings that chance is expected to make in such a run; nothing if the calm windows say too
  // little.
  std::optional<double> by_chance;
};

Attributed attribute(const AttributionInput& input, const AttributionOptions& options);

// Returns, by row and ChannelId, the channel's share in the blame of the window, flagged or not. It
// is the mean over the detectors whose score is partly above the usual; shares sum to 1 unless
// there is no such detector. NaN for channels that no detector saw.
std::vector<std::vector<double>> channel_shares(const AttributionInput& input,
                                                const AttributionOptions& options);

}  // namespace reveal::attribute
