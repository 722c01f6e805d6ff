// An incident as one JSON object on one line; docs/how_to/fleet.md documents it.
#pragma once

#include <string>

#include "peers/incident.h"

namespace reveal::peers {

std::string json_of(const News& news);

}  // namespace reveal::peers
