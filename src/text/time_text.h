// Times and spans in the words of a report. Always UTC, so that the same recording reads the same
// wherever it is analyzed.
#pragma once

#include <cstdint>
#include <string>

namespace reveal::text {

// Returns "2026-11-20T14:03:07.250Z".
std::string iso_time(std::int64_t wall_ns);

// Returns "14:03:07.2".
std::string clock_time(std::int64_t wall_ns);

// Returns "850 ms", "59.9 s", "12 min 3 s" or "3 h 2 min".
std::string span_text(std::int64_t ns);

}  // namespace reveal::text
