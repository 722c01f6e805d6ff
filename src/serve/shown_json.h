// The answers of /api/v1/windows and /api/v1/users.
#pragma once

#include <string>

#include "serve/agent_state.h"

namespace reveal::serve {

// Returns {"stretch_seconds": 10, "subsystems": [...], "stretches": [[begin, strength, share...]]}
// with times in seconds since the epoch.
std::string past_json(const AgentState& state);

// Returns {"users": [{"what": ..., "unit": ..., "users": [{"name": ..., "amount": ...}]}]}.
std::string users_json(const AgentState& state);

}  // namespace reveal::serve
