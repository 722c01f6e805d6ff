// The sentence of a finding, after the paper's Table 4.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attribute/finding.h"
#include "model/channel_table.h"

namespace reveal::attribute {

// Returns the unit of a feature of a channel: the channel's own, squared, per tick, or none.
std::string evidence_unit(const model::ChannelTable& channels, feature::FeatureKey key);

// Returns the place of an instance, to follow a noun: " on CPU 3", " in /job", " on sda", " on CPU
// 3, state C6"; empty for the whole host.
std::string place_phrase(model::Scope scope, std::string_view instance);

// Returns the channel as a noun phrase: "Disk read sectors on sda".
std::string channel_phrase(const model::ChannelTable& channels, model::ChannelId channel);

// Returns whether what waited is so far from what an operator would notice that it tells nothing,
// however unusual it is: a group that waits for 0.02 % of the time, and else never waits.
bool is_negligible(const model::ChannelTable& channels, const Evidence& evidence);

// Returns the evidence that makes the best sentence: the largest product of contribution and
// relative change of its value. Returns nullptr if there is none.
const Evidence* most_telling(std::span<const Evidence> evidence);

// Returns the sentence. If the channel tells what happened to work (work_phrase.h), it is "Tasks
// waited for the disk 42 % of the time (usually 0 %)". For other channels it is "Disk read sectors
// on sda rose to 41 943 sectors/s (usually 120 sectors/s)"; for features other than levels, "Disk
// read sectors' maximum on sda rose to ...".
std::string claim(const model::ChannelTable& channels, const Evidence& evidence);

}  // namespace reveal::attribute
