// Two channels' samples side by side, so that they can be correlated: the first one's of each tick
// against the other's of that tick or, if the other is read less often, the first one's mean over
// the time that each of the other's samples tells of.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/channel_table.h"
#include "window/tick_history.h"

namespace reveal::attribute {

// Ticks by sequence number, the end not among them.
struct TickRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// A channel that is read with every tick, over some ticks; a missing sample is as the one before.
struct Lead {
  TickRange ticks;
  std::int64_t from_ns = 0;  // time of the first value
  std::vector<double> values;
};

struct SideBySide {
  std::vector<double> first;
  std::vector<double> second;
  std::vector<std::int64_t> at_ns;  // time of each sample of the second
  std::int64_t step_ns = 0;         // between two of them
};

// Returns nothing if many samples are missing.
std::optional<Lead> lead_of(const window::TickHistory& ticks, model::ChannelId channel,
                            TickRange range);

// Returns nothing if many of the channel's samples are missing, or they come unevenly. Of a channel
// that is read less often than with every tick the first sample in the range is left out: when the
// time that it tells of began is not known.
std::optional<SideBySide> side_by_side(const window::TickHistory& ticks, const Lead& lead,
                                       model::ChannelId channel);

}  // namespace reveal::attribute
