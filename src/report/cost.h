// The cost of this process so far.
#pragma once

#include <chrono>

#include "report/report.h"

namespace reveal::report {

// Returns what this process has cost, with the wall time since `started`; bytes_written stays 0.
Cost cost_since(std::chrono::steady_clock::time_point started);

}  // namespace reveal::report
