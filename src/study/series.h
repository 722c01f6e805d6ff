// The channels of a whole recording in memory, as analysis sees them (replay/derived_source.h).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/channel_table.h"
#include "study/result.h"

namespace reveal::study {

struct Series {
  Run run;
  std::int64_t interval_ns = 0;
  model::ChannelTable channels;
  // A row a frame, as long as there were channels when it came; NaN if there was no sample.
  std::vector<std::vector<double>> frames;
  std::vector<std::uint64_t> ticks;  // by frame: its number since the first one
};

// Reads it; what could not be read is added to `damage`. Fails with kTooLittle if it has no frame.
base::Result<Series> read_series(const std::string& directory, std::vector<store::Damage>& damage);

// Returns the samples of a channel, one a tick up to the last frame, without holes: each sample
// holds until the next, and the first one also before it comes. Empty if there is no sample.
std::vector<double> held_samples(const Series& series, model::ChannelId channel);

}  // namespace reveal::study
