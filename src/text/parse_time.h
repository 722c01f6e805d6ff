// Timestamps in texts of other programs: seconds, milliseconds, microseconds or nanoseconds since
// the epoch, or dates. A date without an offset is UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reveal::text {

// The units of a timestamp, in nanoseconds.
enum class TimeUnit : std::int64_t { kNs = 1, kUs = 1'000, kMs = 1'000'000, kS = 1'000'000'000 };

// Returns the time of "2026-11-20T14:03:07.25Z" in ns since the epoch. A space may stand for the T,
// slashes for the dashes, and an offset such as +01:00 for the Z; it may also be missing. Nothing
// if the text is not such a date from 1678 to 2261. Source: RFC 3339; the leap second 60 is the
// next second's 0.
std::optional<std::int64_t> parse_date(std::string_view text);

// Returns a decimal number of `unit`s in ns, exact to the nanosecond; further digits are cut off.
// Nothing if it is not a number, or is too large.
std::optional<std::int64_t> parse_decimal_time(std::string_view text, TimeUnit unit);

// Returns the unit in which a number is likely to count from the epoch: one that puts it between
// 1973 and 5138. Small numbers are seconds.
TimeUnit likely_unit(double number);

}  // namespace reveal::text
