// The page at "/": state, groups and open incidents as lists. If the program has the fleet's page,
// its script takes their place once it runs; until then, and in a browser that runs no script, they
// are what there is to see.
#pragma once

#include <cstdint>
#include <string>

#include "fleet_site/fleet_state.h"

namespace reveal::fleet_site {

// The page has so many open incidents and so many groups; it counts the others.
inline constexpr std::size_t kMostListedIncidents = 100;
inline constexpr std::size_t kMostListedGroups = 100;

// Returns the page; `has_script` if /fleet.js and /fleet.css are there. Text from elsewhere is
// inert in it. `wall_ns` is now.
std::string front_page(const FleetState& state, std::int64_t wall_ns, bool has_script = false);

}  // namespace reveal::fleet_site
