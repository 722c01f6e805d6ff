// The channels of a recording as analysis sees them (replay/derived_source.h): frame by frame, or
// all in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exchange/filtered_source.h"
#include "model/channel_table.h"
#include "study/result.h"

namespace reveal::study {

// What is known of a recording beside its samples.
struct RunFacts {
  Run run;
  std::int64_t interval_ns = 0;
  model::ChannelTable channels;
};

// Takes a frame: its number since the first one, and its samples by channel, as many as there were
// when it came; NaN if there was none.
using TakeFrame = std::function<void(std::uint64_t tick, std::vector<double> samples)>;

// Reads a recording frame by frame, or a part of it; what could not be read is added to `damage`.
// Fails with kTooLittle if it has no frame.
base::Result<RunFacts> read_run(const std::string& directory, std::vector<store::Damage>& damage,
                                const TakeFrame& take, const exchange::Part& part = {});

struct Series {
  Run run;
  std::int64_t interval_ns = 0;
  model::ChannelTable channels;
  // A row a frame, as long as there were channels when it came; NaN if there was no sample.
  std::vector<std::vector<double>> frames;
  std::vector<std::uint64_t> ticks;  // by frame: its number since the first one
};

// Reads all of it, or the channels of a part. Fails as read_run().
base::Result<Series> read_series(const std::string& directory, std::vector<store::Damage>& damage,
                                 const exchange::Part& part = {});

// Returns the samples of a channel, one a tick up to the last frame, without holes: each sample
// holds until the next, and the first one also before it comes. Empty if there is no sample.
std::vector<double> held_samples(const Series& series, model::ChannelId channel);

}  // namespace reveal::study
