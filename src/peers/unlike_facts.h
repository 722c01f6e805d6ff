// The facts in which a host differs from its peers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "peers/incident.h"
#include "wire/facts.h"

namespace reveal::peers {

inline constexpr std::size_t kMaxUnlike = 16;

// Returns those in which a host differs from what more than half of its peers have, at most
// kMaxUnlike: kernel and version first, then by source and subject. Sizes in bytes within a
// twentieth of each other are the same.
std::vector<UnlikeFact> unlike_facts(const wire::Facts& own,
                                     std::span<const wire::Facts* const> peers);

}  // namespace reveal::peers
