// Metrics whose rise shows that work is stalled: something waits, is limited, fails, or is done
// again. All other metrics show the work done. Gregg's USE method has the same two sides:
// saturation with errors, and utilization. A fault moves the former, a workload that starts, stops
// or pauses the latter.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::detect {

struct SaturationSignal {
  std::string_view metric;
  // The rise that an operator would call something: of a gauge in its unit, of a counter in its
  // unit a second, of events in their count in a window.
  double least;
  // Of what comes in bursts for which nobody waits: where pressure metrics tell who waits, it
  // counts if it holds for half of a window.
  bool lasts = false;
};

// Returns all of them, by subsystem.
std::span<const SaturationSignal> saturation_signals();

// Returns the one of that metric; null if it is not among them.
const SaturationSignal* find_saturation_signal(std::string_view metric);

// Returns, by column of the matrix, the least rise that counts: 0 if the column is not the level of
// such a metric. The level is the mean, of events the count, and of a metric that must last the
// median, if the matrix has it.
std::vector<double> least_rises(const feature::FeatureMatrix& matrix,
                                const model::ChannelTable& channels);

// Returns whether the host says what waits for processors and for I/O (Linux's pressure stall
// information). Without that, the lack of saturation signals says nothing.
bool has_pressure_metrics(const model::ChannelTable& channels);

}  // namespace reveal::detect
