// Where a workload begins, ends, or becomes another: from there on a host is used in another way,
// and what waits is to be compared with that, not with what was before. A job shows by what it
// leaves in place, not by what it does: memory mapped and promised, page tables, sockets, threads,
// memory of GPUs. A fault moves what is done.
#pragma once

#include <cstddef>
#include <vector>

#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::detect {

// A regime lasts at least this many windows: shorter ones say nothing about what is usual in them.
inline constexpr std::size_t kShortestRegime = 20;

// Returns the first row of each regime, ascending, 0 the first; none of an empty matrix. A regime
// begins where at least two of those quantities differ by a quarter or more from what they were at
// the start of the regime before, and stay so for kShortestRegime windows.
std::vector<std::size_t> regimes(const feature::FeatureMatrix& matrix,
                                 const model::ChannelTable& channels);

}  // namespace reveal::detect
