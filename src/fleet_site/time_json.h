// Times in answers.
#pragma once

#include <cstdint>
#include <optional>

#include "http/json_text.h"
#include "text/time_text.h"

namespace reveal::fleet_site {

// Returns a time in ns since the epoch as "2026-11-20T14:03:07.250Z"; null if it is not known.
inline http::Json time_json(const std::optional<std::int64_t>& wall_ns) {
  return wall_ns ? http::Json(text::iso_time(*wall_ns)) : http::Json();
}

}  // namespace reveal::fleet_site
