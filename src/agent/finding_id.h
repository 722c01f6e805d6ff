// Names of findings: unique over hosts and restarts, and in the order of time as text. They are
// ULIDs: 48 bits of ms since the epoch and 80 random bits, in Crockford's base 32.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reveal::agent {

// Returns a new name for what began at that wall time; random as the system's generator is.
std::string new_finding_id(std::int64_t begin_ns);

// Returns whether the text could be such a name. Only then it may become part of a path.
bool is_finding_id(std::string_view text);

// Returns when it began, to the millisecond, in wall time. REQUIRES: is_finding_id(id).
std::int64_t begin_of(std::string_view id);

}  // namespace reveal::agent
