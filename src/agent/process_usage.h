// What the agent's processes use, as the kernel counts it.
#pragma once

#include <string>
#include <vector>

#include "serve/agent_state.h"

namespace reveal::agent {

// Returns this process, the one that started it, and the others that that one started, each with
// its role as name. What cannot be read is not known.
std::vector<serve::ProcessUsage> process_usage();

// Returns the usage of a process, from its folder below /proc. `boot_wall_ns` is when the kernel
// began to count.
serve::ProcessUsage usage_of(const std::string& proc, std::int64_t boot_wall_ns);

}  // namespace reveal::agent
