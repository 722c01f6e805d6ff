// How the times of a report are told.
#pragma once

#include <cstdint>

#include "report/report.h"
#include "text/time_text.h"

namespace reveal::report {

// Returns the clock, which tells the day with each time if the recording is longer than a day.
inline text::Clock clock_of(const Report& report, const text::Clock& clock = text::Clock()) {
  constexpr std::int64_t kDay_ns = 86'400'000'000'000;
  return report.end_ns - report.begin_ns > kDay_ns ? clock.with_day() : clock;
}

}  // namespace reveal::report
