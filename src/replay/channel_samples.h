// The samples of one channel in a stretch of a recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace reveal::replay {

// Returns the channel's values, derived, in `ticks` ticks from that one on; NaN where there is
// none. The recording is read from its begin, as rates need the sample before.
base::Result<std::vector<double>> channel_samples(const std::string& directory,
                                                  const std::string& channel,
                                                  std::uint64_t first_sequence, std::size_t ticks);

}  // namespace reveal::replay
