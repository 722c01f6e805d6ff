// What is usual of a workload, kept from one run of it to the next.
//
// No two runs of a job have the same levels: free memory, the page cache and the order of ranks
// differ, and detectors of levels would flag most of the next run. What a workload waits for
// differs little. So such a baseline is a FittedBaseline of levels alone (feature/level.h), and its
// only detector is that of saturation signals. It takes some milliseconds to fit and some hundred
// bytes a channel.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "detect/fitted_baseline.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::detect {

// Each run that is learned counts as at least a fifth of what is known then. So a run counts half
// as much once the workload has come back three times more.
inline constexpr std::size_t kTimesOneRun = 4;

// Returns the levels of the rows from `first` on, of at most kMaxFitted of them, evenly spaced, and
// of the channels that have one in most rows. REQUIRES: first < row_count().
feature::FeatureMatrix levels_of(const feature::FeatureMatrix& matrix,
                                 const model::ChannelTable& channels, std::size_t first);

// Returns the baseline of one run of a workload; `origin` and `windows` are for it. Fails as
// fit_baseline(), and if the host has no saturation signal.
base::Result<FittedBaseline> fit_workload(feature::FeatureMatrix levels,
                                          const model::ChannelTable& channels,
                                          BaselineOrigin origin, const window::WindowSpec& windows);

// Returns what is known of a workload once it has come back with those levels. The origin is that
// of the new run but for the number of runs and of windows. Channels that only one of the two has
// stay as the known ones are. Fails as match() and learn().
base::Result<FittedBaseline> learn_workload(const FittedBaseline& known,
                                            const feature::FeatureMatrix& levels,
                                            const model::ChannelTable& channels,
                                            const BaselineOrigin& origin);

}  // namespace reveal::detect
