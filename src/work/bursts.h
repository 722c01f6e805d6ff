// Steps that last seconds: a job that computes for long and then exchanges for a moment. A second
// holds the exchange of one step or none, so counters of seconds say little; but each burst is one
// step, as many bytes as the one before. Internal.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "work/blocks.h"

namespace reveal::work {

// The steps of a job, as they show in the ticks.
struct BurstClock {
  std::vector<std::size_t> members;  // candidates that burst together
  double period_s = 0;               // from one step to the next, the median
  // Steps a second by block; NaN if it is not known. Between the ends of two bursts the job is
  // taken to go on evenly.
  std::vector<double> rate;
};

// Returns the clock of the candidate whose bursts are most alike, if two quantities burst together
// and the network is one of them; nothing if there is none. `candidates` are those that have ticks.
std::optional<BurstClock> burst_clock(const Blocks& blocks,
                                      const std::vector<std::size_t>& candidates);

}  // namespace reveal::work
