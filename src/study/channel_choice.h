// Stable and discriminative channels (paper, appendix G): those that are steady from run to run of
// a workload, and those that tell workloads apart.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "stats/anova.h"
#include "study/levels.h"

namespace reveal::study {

// Returns the coefficient of variation of the runs' means: their standard deviation (population
// formula) over their |mean|. NaN if the mean is 0, or there are fewer than two runs.
double cv_of(std::span<const RunLevel> runs);

// Returns, by channel, the analysis of variance of its runs' means over the workloads.
std::vector<stats::Anova> anova_of(const Levels& levels);

// Fail with kTooLittle if no workload has several runs; and if there is one workload.
base::Result<void> check_runs(const Levels& levels);
base::Result<void> check_workloads(const Levels& levels);

// What channels are chosen by. Nothing: they need not be steady, or differ.
struct ChannelChoice {
  std::optional<double> most_cv = {};  // the median over the workloads, at most
  std::optional<double> most_p = {};   // of the analysis of variance, at most
  bool is_any() const { return most_cv || most_p; }
};

// Returns the names of the channels that are known to be less steady, or that are not known to
// differ between workloads. Fails as the two above.
base::Result<std::set<std::string>> left_out(const Levels& levels, const ChannelChoice& choice);

}  // namespace reveal::study
