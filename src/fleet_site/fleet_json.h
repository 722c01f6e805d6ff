// The answers of /api/v1/fleet, /api/v1/hosts and /api/v1/prometheus_targets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fleet_site/fleet_state.h"

namespace reveal::fleet_site {

inline constexpr const char* kSchema = "reveal.fleet";
inline constexpr int kSchemaVersion = 1;

// Returns the groups in the order in which they are shown: those with open incidents first, then
// the larger ones.
std::vector<const GroupState*> shown_order(const FleetState& state);

// Returns what the fleet is like now; `wall_ns` is now.
std::string fleet_json(const FleetState& state, std::int64_t wall_ns);

// Returns ids, names and standings of a group's hosts, in the order of all arrays about them.
std::string hosts_json(const GroupState& group);

// Returns the agents as targets of Prometheus' HTTP service discovery, each at its host's name and
// that port. Source: https://prometheus.io/docs/prometheus/latest/http_sd/
std::string targets_json(const FleetState& state, std::uint16_t port);

}  // namespace reveal::fleet_site
