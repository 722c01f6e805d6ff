// What the processes of an agent use together.
#pragma once

#include <span>

#include "serve/agent_state.h"

namespace reveal::serve {

// Returns the sums, and the earliest start. A sum is not known if one of its parts is not: it would
// look like a process that uses less.
ProcessUsage sum_of(std::span<const ProcessUsage> processes);

}  // namespace reveal::serve
