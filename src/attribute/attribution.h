// From flagged windows to findings: merges neighbors, asks each detector which columns lifted its
// score, compares these columns with the rest of the run, and says the result in a sentence.
#pragma once

#include <optional>
#include <vector>

#include "attribute/attributor.h"
#include "attribute/finding.h"
#include "attribute/finding_rule.h"
#include "detect/fitted_baseline.h"
#include "detect/scored_run.h"
#include "detect/verdict.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::attribute {

struct AttributionOptions {
  FindingRule rule = {};
  EvidenceLimits evidence = {};
};

struct AttributionInput {
  const model::ChannelTable& channels;  // derived channels
  const feature::FeatureMatrix& matrix;
  const detect::ScoredRun& run;
  const detect::Verdict& verdict;
  // What was usual, where windows were scored against a saved baseline: then evidence is compared
  // with it instead of the run's other windows.
  const detect::FittedBaseline* saved = nullptr;
};

// What was found, in time order; empty is a valid answer.
struct Attributed {
  std::vector<Finding> findings;
  // In these nothing was stalled, as far as the host can tell: a workload's own ways. Where no
  // detector sees saturation, or the host does not say what waits, all are findings.
  std::vector<Finding> changes;
  std::vector<Finding> low_confidence;  // there may be too many such by chance
  // Findings that chance is expected to make in such a run; nothing where the calm windows say too
  // little.
  std::optional<double> by_chance;
};

Attributed attribute(const AttributionInput& input, const AttributionOptions& options);

// Returns, by row and ChannelId, the channel's share in what all detectors say of the window,
// whether they flag it or not: the mean over those in whose score something is above the usual,
// which sums to 1 unless there is none. NaN for channels that no detector saw.
std::vector<std::vector<double>> channel_shares(const AttributionInput& input,
                                                const AttributionOptions& options);

}  // namespace reveal::attribute
