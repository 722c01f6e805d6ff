// The input of a baseline's fit: a copy of a run that may continue meanwhile, or several runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "detect/fitted_baseline.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::pipeline {

struct BaselineFit {
  feature::FeatureMatrix matrix;
  model::ChannelTable channels;
  detect::FitOptions options;
  // What of the baseline is not about columns and detectors.
  detect::BaselineOrigin origin;
  window::WindowSpec windows;
  std::vector<std::string> dynamic_features;
  std::vector<std::string> event_features;

  // Gives the matrix away. If options.findings is set, windows at the end that are a finding which
  // goes on are not learned, as long as enough are left. Fails as detect::fit_baseline().
  base::Result<detect::FittedBaseline> fit() &&;
};

// Returns what one baseline of all those runs is fitted on: each a fold, judged by the others. A
// channel is used that one of them uses. Of hosts or commands that differ none is named. Fails with
// kUsage if they were not cut alike. REQUIRES: at least two, of one configuration.
base::Result<BaselineFit> joined(std::span<const BaselineFit> runs);

}  // namespace reveal::pipeline
