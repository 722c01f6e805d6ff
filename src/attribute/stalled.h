// What of a group of flagged windows stalls work, and what is only a workload's own way.
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

// Says of a group of windows whether work is stalled in it, by what the detector of saturation
// signals says of each. Those from the first in which anything is to the last, with those that
// share a sample with them, make the whole group a finding, unless what is before or after is
// longer. Then they must raise an alarm by themselves, and what is long before them is apart: a
// workload that does something else for two minutes is no fault for one tick of lost segments among
// them. What is after belongs to it, for averages die away slowly. With `at_start` they must raise
// an alarm as well: while a workload starts, some of it always waits.
std::vector<Stretch> split_by_stall(const feature::FeatureMatrix& matrix,
                                    const detect::DetectorVerdict& saturation,
                                    const std::vector<std::size_t>& group, bool at_start);

// Says the same of windows that were compared with another run. That run's memory lay elsewhere, so
// all of this one may be flagged, and what stalls work are islands in it: windows in which
// something does, with those that share a sample with them, and those between two of them that are
// no farther apart than kOneIsland. Where islands are half of the group, all of it is a finding;
// else each island that raises an alarm by itself is, and the others are one change.
inline constexpr std::size_t kOneIsland = 10;
std::vector<Stretch> split_into_islands(const feature::FeatureMatrix& matrix,
                                        const detect::DetectorVerdict& saturation,
                                        const std::vector<std::size_t>& group);

}  // namespace reveal::attribute
