// The sentence of a finding, after the paper's Table 4.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "attribute/finding.h"
#include "model/channel_table.h"

namespace reveal::attribute {

// Returns the unit of a feature of a channel: the channel's own, squared, per tick, or none.
std::string evidence_unit(const model::ChannelTable& channels, feature::FeatureKey key);

// Returns the channel as a noun phrase: "Disk read sectors on sda".
std::string channel_phrase(const model::ChannelTable& channels, model::ChannelId channel);

// Returns the piece of evidence that a sentence can best be made of: among the evidence of
// `subsystem`, the largest contribution whose feature is legible (a level, not a shape) unless the
// overall largest contributes more than three times as much. `evidence` is sorted, largest first.
// Returns nullptr where there is none of that subsystem.
const Evidence* most_telling(const model::ChannelTable& channels,
                             std::span<const Evidence> evidence, model::Subsystem subsystem);

// Returns "Disk read sectors' maximum on sda exceeds the baseline: 41 943 sectors/s against a
// median of 120 sectors/s", or "... falls below the baseline" where it does.
std::string claim(const model::ChannelTable& channels, const Evidence& evidence);

}  // namespace reveal::attribute
