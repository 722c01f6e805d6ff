// Where a workload begins, ends, or changes. From there on the host is used in another way, and its
// waiting must be compared with that, not with the time before. A job shows by what it leaves in
// place: mapped and committed memory, page tables, sockets, threads, memory of GPUs. A fault
// changes the activity instead.
#pragma once

#include <cstddef>
#include <vector>

#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::detect {

// A regime lasts at least this many windows: shorter ones say nothing about what is usual in them.
inline constexpr std::size_t kShortestRegime = 20;

// Returns the first row of each regime, ascending, 0 the first; none of an empty matrix. A regime
// begins if at least two of those quantities differ by a quarter or more from what they were at the
// start of the regime before, and stay so for kShortestRegime windows.
std::vector<std::size_t> regimes(const feature::FeatureMatrix& matrix,
                                 const model::ChannelTable& channels);

}  // namespace reveal::detect
