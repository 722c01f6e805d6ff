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
//
// Channels whose subsystem is not known are no subsystem together. So their part is that of the
// strongest alone, however many there are; and if a channel of a known subsystem contributes a
// quarter as much, it is at most the largest part of a known one: what moved there explains more.
SubsystemShares subsystem_shares(const model::ChannelTable& channels,
                                 std::span<const double> contribution_by_channel);

// Returns the subsystem with the largest share, a known one of equals; unknown if all are 0.
model::Subsystem most_blamed(const SubsystemShares& shares);

}  // namespace reveal::attribute
