// Pruning of a workload that was run several times (paper, section 4.1): on the mean of its runs'
// correlation matrices, by the paper's rule of priority.
//
// That rule is: rank of the metric, then the higher variance of its correlations with the others,
// then name. plan() of one run (selection_plan.h) has another second rule, the coefficient of
// variation, because it needs no second run to be stable.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "model/channel_table.h"
#include "select/co_moments.h"
#include "select/selection_plan.h"

namespace reveal::select {

// How channels move together: those that change, and beside them those that do not.
struct Correlations {
  std::vector<std::string> names;  // "metric" or "metric{instance}"
  std::vector<std::int16_t> ranks;
  Eigen::MatrixXd r;                       // by place in `names`
  std::vector<std::string> constant = {};  // that changed in no run, or had no sample; by name
};

// Returns those of one run, all of whose ticks `run` has settled, by channel.
Correlations correlations_of(const CoMoments& run, const model::ChannelTable& channels);

// Returns those of the other channels.
Correlations without(const Correlations& run, const std::set<std::string>& names);

// Returns the mean of those of several runs, by priority: each pair's over the runs in which both
// channels vary, and 0 if there is none.
Correlations mean_correlations(std::span<const Correlations> runs);

// Returns the plan that keeps channels in their order. REQUIRES: by priority; 0 <= threshold <= 1.
SelectionPlan plan(const Correlations& by_priority, double threshold);

}  // namespace reveal::select
