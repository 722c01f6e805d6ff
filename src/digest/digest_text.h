// A digest as text for people and as JSON for programs.
#pragma once

#include <string>

#include "digest/digest.h"

namespace reveal::digest {

// Returns lines for people, with the times of the host's zone.
std::string to_text(const Digest& digest);

// Returns an indented JSON object with a final newline; docs/how_to/daily_report.md describes it.
std::string to_json(const Digest& digest);

}  // namespace reveal::digest
