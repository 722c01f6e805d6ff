// JSON as this module writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "text/time_text.h"

namespace reveal::http {

using Json = nlohmann::ordered_json;

// Returns it on one line. Bytes that are not UTF-8, of a device's name or the like, are replaced.
inline std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Sets a member; nothing if the value is not known.
template <typename Value>
void put(Json& object, const char* key, const std::optional<Value>& value) {
  if (value) object[key] = *value;
}

// The same with a time in ns since the epoch, as "2026-11-20T14:03:07.250Z".
inline void put_time(Json& object, const char* key, const std::optional<std::int64_t>& wall_ns) {
  if (wall_ns) object[key] = text::iso_time(*wall_ns);
}

}  // namespace reveal::http
