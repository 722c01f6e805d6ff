// Splits a group of flagged windows into stretches with stalled work, and the workload's own
// changes.
#pragma once

#include <cstddef>
#include <vector>

#include "detect/verdict.h"
#include "feature/feature_matrix.h"

namespace reveal::attribute {

struct Stretch {
  std::vector<std::size_t> rows;
  bool stalled = true;
};

// Returns whether work is stalled in that window, by the detector of saturation signals.
bool is_stalled(const detect::DetectorVerdict& saturation, std::size_t row);

// Decides whether work is stalled in a group of windows, by the detector of saturation signals.
//
// The core runs from the first window with stalled work to the last, and includes the windows that
// share a sample with these two.
//   1. If neither the windows before the core nor those after it are more than the core, the whole
//      group is a finding.
//   2. If there are more, the core must raise an alarm by itself. A workload that does something
//      else for two minutes is not a fault because of one tick of lost segments.
//   3. A longer part before the core is split off as a change. The part after the core stays with
//      it, because averages die away slowly.
//   4. With `at_start` the core must raise an alarm in any case: while a workload starts, some of
//   it
//      always waits.
std::vector<Stretch> split_by_stall(const feature::FeatureMatrix& matrix,
                                    const detect::DetectorVerdict& saturation,
                                    const std::vector<std::size_t>& group, bool at_start);

// The same for windows that were compared with another run. That run's memory lay elsewhere, so all
// of this one may be flagged, and the stalls are islands in it. An island is the windows with
// stalled work and those that share a sample with them; islands at most kOneIsland windows apart
// are joined. If islands are at least half of the group, all of it is a finding. If not, each
// island that raises an alarm by itself is a finding, and the rest is one change.
inline constexpr std::size_t kOneIsland = 10;
std::vector<Stretch> split_into_islands(const feature::FeatureMatrix& matrix,
                                        const detect::DetectorVerdict& saturation,
                                        const std::vector<std::size_t>& group);

}  // namespace reveal::attribute
