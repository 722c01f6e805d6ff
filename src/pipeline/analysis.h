// The second half of the pipeline, once all windows of a run exist: select, detect, attribute.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "model/process_timeline.h"
#include "pipeline/config.h"
#include "report/report.h"
#include "select/selection_plan.h"
#include "window/tick_history.h"

namespace reveal::pipeline {

// Returns, by ChannelId, the channel that stands for each one in `plan`; itself if it is kept,
// constant or unknown.
std::vector<model::ChannelId> representatives(const select::SelectionPlan& plan,
                                              const model::ChannelTable& channels);

// Returns, by ChannelId, whether the detectors shall see the channel; empty means all.
std::vector<bool> selected_channels(const PipelineConfig& config, const select::SelectionPlan& plan,
                                    const model::ChannelTable& channels);

// Fits the detectors on the run, judges its windows, attributes what they flag, and adds all that
// to `out`. Fails with kTooLittle if there is nothing to fit on.
struct Analyzed {
  const feature::FeatureMatrix& matrix;  // of the run or of a part of it
  const model::ChannelTable& channels;
  const model::ProcessTimeline& processes;
  const window::TickHistory& ticks;
  bool is_part = false;            // of a longer run
  std::size_t windows_before = 0;  // of the run, before these
};
base::Result<void> detect_and_attribute(const Analyzed& of, const std::vector<bool>& selected,
                                        const PipelineConfig& config, report::Report& out);

}  // namespace reveal::pipeline
