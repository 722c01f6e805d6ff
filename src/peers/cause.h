// Which of the hosts that are slow together is the cause, and which only wait for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace reveal::peers {

// What is known of one host of an incident.
struct Suspect {
  std::int64_t onset_ns = 0;
  std::int64_t error_ns = 0;    // how far the onset may be off, its clock included
  bool has_own_cause = false;   // a pattern of its own findings says that the cause lies there
  bool shows_resource = false;  // something of its own fails or is short; it does not only wait
};

// Returns the host that is the cause, by the first of these that tells: the only one whose pattern
// says so; the only one that began before all others by more than both errors; the only one of
// which more than waiting is seen. Returns nothing if none of them tells. Of a single host, itself.
std::optional<std::size_t> cause_of(std::span<const Suspect> hosts);

}  // namespace reveal::peers
