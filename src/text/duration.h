// Durations as people type them: "100ms", "3s", "2m", "1.5h".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace reveal::text {

// Returns the duration in nanoseconds. Fails with kUsage for anything but a positive number
// followed at once by ns, us, ms, s, m, h or d; a number without a unit is refused: it could
// mean anything.
base::Result<std::int64_t> parse_duration(std::string_view text);

}  // namespace reveal::text
