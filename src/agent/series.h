// How channels of the recording moved: what /api/v1/series gives, read from the files that the
// recorder writes.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "serve/series_query.h"

namespace reveal::agent {

// Returns {"from": seconds, "step": seconds, "channels": [{"name", "unit", "low", "high",
// "mean"}]}: by channel the lowest, highest and mean sample of each bucket, null where it has none.
// Samples are those that analysis sees: rates, increments, levels. Reads only what the channels
// need, up to the end of `query`, but that may take seconds. Fails with kUsage if the recording has
// no channel of a name, else as store::SegmentReader does.
base::Result<std::string> series_json(const std::filesystem::path& recording,
                                      const serve::SeriesQuery& query);

}  // namespace reveal::agent
