// What /api/v1/series is asked for: how channels moved, in buckets of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/target.h"

namespace reveal::serve {

inline constexpr std::size_t kMostSeriesChannels = 16;
inline constexpr std::size_t kMostSeriesPoints = 4000;  // of all channels together
inline constexpr std::int64_t kMostSeriesSpan_ns = std::int64_t{3600} * 1'000'000'000;

struct SeriesQuery {
  std::vector<std::string> channels = {};
  std::int64_t from_ns = 0;  // wall time
  std::int64_t to_ns = 0;
  std::size_t points = 0;  // buckets of each channel
};

// Reads `channel` (once or more), `from` and `to` (a date or seconds since the epoch; without them
// the last ten minutes before `wall_ns`) and `points`. Fails with kUsage, naming the parameter, for
// anything else and for what exceeds the bounds above.
base::Result<SeriesQuery> parse_series_query(std::span<const http::Parameter> parameters,
                                             std::int64_t wall_ns);

}  // namespace reveal::serve
