// The windows of several runs in one matrix. Runs number their channels as they come, so columns
// are matched by the names of channel and feature.
#pragma once

#include <cstddef>
#include <vector>

#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::feature {

struct JoinedRuns {
  FeatureMatrix matrix;
  model::ChannelTable channels;
  std::vector<std::size_t> first_rows;  // of the runs, in the order in which they were added

  // Adds a run's windows. A column that some run lacks is undefined in it.
  void add(const FeatureMatrix& run, const model::ChannelTable& run_channels);
};

}  // namespace reveal::feature
