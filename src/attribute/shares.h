// How the blame is divided among the subsystems.
#pragma once

#include <span>

#include "attribute/finding.h"
#include "model/channel_table.h"

namespace reveal::attribute {

// Returns each subsystem's share of a finding, given every channel's contribution (by ChannelId).
//
// A subsystem's strength is the mean of its three strongest channels. A sum would let the subsystem
// with the most channels win by the noise of its many quiet ones, and the single largest would let
// one odd channel win; a few bad metrics among many good ones is the normal shape of a fault. The
// strengths are then scaled to sum to 1; without any contribution all shares are 0.
SubsystemShares subsystem_shares(const model::ChannelTable& channels,
                                 std::span<const double> contribution_by_channel);

}  // namespace reveal::attribute
