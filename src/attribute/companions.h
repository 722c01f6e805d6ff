// Which channels of other subsystems moved as a finding's own channel did: disk reads and the
// processor's interrupts, say. That says more of what happened than either alone.
//
// Method: the claim's channel, sampled by tick over the finding and a window's length on either
// side, at most a minute, is correlated with each channel of another subsystem, at all lags up to
// 2 s. A channel that is read less often than every tick is correlated with the claim's means
// between its readings, if it has ten samples. The strongest correlation counts. Then the same is
// done in stretches of the same length elsewhere in the run, so that what always moves along is not
// told, nor what always looks as if it did. A companion
//   - has a correlation of 0.8 or more in magnitude, of few samples more: six standard deviations
//     of Fisher's transform, 0.96 of 12 and 0.9 of 20,
//   - has one that is 0.3 above the usual one, the second strongest of the other stretches,
//   - spreads at least twice as much as it does in most of the other stretches.
// Without three other stretches nothing is told.
//
// Cost: for each channel that is kept some 40 products a tick of at most 600, and for the few that
// pass, the same in at most 12 stretches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attribute/finding.h"
#include "model/channel_table.h"
#include "window/tick_history.h"

namespace reveal::attribute {

// Of those the strongest are told, at most one a subsystem.
inline constexpr std::size_t kMostCompanions = 2;

// Returns whether samples of that metric are kept to tell edges (edges.h) or companions.
bool tells_ticks(const model::MetricDescriptor& metric);

// Returns a finding's companions, the strongest first. REQUIRES: its windows, evidence and telling
// are set.
std::vector<Companion> companions_of(const model::ChannelTable& channels,
                                     const window::TickHistory& ticks, const Finding& finding);

}  // namespace reveal::attribute
