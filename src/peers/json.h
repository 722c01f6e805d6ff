// An incident as one JSON object on one line; docs/how_to/fleet.md documents it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "peers/incident.h"

namespace reveal::peers {

std::string json_of(const News& news);

// Returns the incident of such a line. How its quantities are called in sentences is not all there.
// Fails with kCorrupt if it is none.
base::Result<Incident> read_incident(std::string_view json);

}  // namespace reveal::peers
