// The time from one step of a job to the next, if a step lasts long enough to show in the ticks.
// Internal.
#pragma once

#include <optional>
#include <span>

namespace reveal::work {

// Returns the period, in ticks, at which a counter comes and goes: the lag of the first high peak
// of its autocorrelation. Nothing if it is less than 4 ticks, if the counter is never quiet between
// two steps (then several of them fall into a tick, and what seems to be a period is a beat), or if
// none shows. REQUIRES: no NaN.
std::optional<double> period_of(std::span<const double> ticks);

}  // namespace reveal::work
