// The extrapolated count of a perf counter that was on the hardware only part of the time.
// https://man7.org/linux/man-pages/man2/perf_event_open.2.html, "time_enabled, time_running"
#pragma once

#include <cstdint>
#include <optional>

namespace reveal::perf {

using ScaledCount = std::optional<std::uint64_t>;

// Returns count * enabled / running, exactly `count` if the times are equal, and nothing if the
// counter never ran or the product does not fit.
ScaledCount scaled_count(std::uint64_t count, std::uint64_t enabled_ns, std::uint64_t running_ns);

}  // namespace reveal::perf
