// Time points as people type them: a date and time of RFC 3339, seconds since the epoch, or the
// distance from the start ("+90s") or the end ("-5m") of a recording, or a time of day as reports
// print it ("19:32:00"): the first such time in the recording, else on the day it begins (UTC).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace reveal::replay {

// Returns the time in nanoseconds since the epoch, of a recording that spans these times. Fails
// with kUsage for anything else.
base::Result<std::int64_t> parse_time_point(std::string_view text, std::int64_t begin_ns,
                                            std::int64_t end_ns);

}  // namespace reveal::replay
