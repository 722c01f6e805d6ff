// How the blame is divided among the subsystems.
#pragma once

#include <span>

#include "attribute/finding.h"
#include "model/channel_table.h"

namespace reveal::attribute {

// Returns each subsystem's share of a finding, given every channel's contribution by ChannelId; NaN
// for channels that no detector saw.
//
// A subsystem's part is how strongly it deviates times how much of it does: the geometric mean of
// its three strongest channels' mean and of all its channels' mean. A sum would let the subsystem
// with the most channels win by the noise of its many quiet ones; the strongest alone cannot tell
// a disturbed disk from the few page counters that every disk access moves, once both lie far out.
// The parts are then scaled to sum to 1; without any contribution all shares are 0.
SubsystemShares subsystem_shares(const model::ChannelTable& channels,
                                 std::span<const double> contribution_by_channel);

}  // namespace reveal::attribute
