// The answer of /api/v1/status. What is not known has no key. health.cc reads it back; a change of
// what a key means, or the loss of one, raises kStatusVersion.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "serve/state_board.h"

namespace reveal::serve {

// A recorder that has not ticked for so long stands still. An interval is 100 ms, and the recorder
// may be started anew within seconds.
inline constexpr std::chrono::seconds kMostTickAge{30};

inline constexpr int kStatusVersion = 1;

// The status names so many open findings; it counts the others.
inline constexpr std::size_t kMostNamedFindings = 20;

// Returns the status as JSON. `wall_ns` is now.
std::string status_json(const Published& published, std::int64_t wall_ns);

}  // namespace reveal::serve
