// Days of the host's time zone, by TZ or /etc/localtime, and times as people name them for a look
// back: "yesterday", "24h".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::text {

// Returns the first moment of the local day that has `wall_ns`, or of the day that is `days` later.
// That is midnight, unless the clock is set forward then. A day may have 23 or 25 hours.
std::int64_t local_day(std::int64_t wall_ns, int days = 0);

// Returns the local date, "2026-11-24".
std::string local_date(std::int64_t wall_ns);

// Returns the local hour, 0 to 23.
int local_hour(std::int64_t wall_ns);

// Returns the time that "now", "today" or "yesterday" (the first moment of that local day), "24h"
// (as long before now), "2026-11-24" (of that local day) or a date with a time (text::parse_date)
// means at `now_ns`. Fails with kUsage for anything else.
base::Result<std::int64_t> parse_when(std::string_view text, std::int64_t now_ns);

}  // namespace reveal::text
