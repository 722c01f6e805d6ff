// Parts that several kinds of JSON have in common.
#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

#include "attribute/patterns.h"
#include "report/report.h"
#include "text/time_text.h"

namespace reveal::report {

using Json = nlohmann::ordered_json;  // sections in the order in which a person would read them

inline Json time(std::int64_t wall_ns) {
  return {{"ns", wall_ns}, {"utc", text::iso_time(wall_ns)}};
}

inline Json described(const attribute::Pattern& pattern) {
  return {{"name", pattern.name},
          {"title", pattern.title},
          {"meaning", pattern.meaning},
          {"remedy", pattern.remedy},
          {"cause", attribute::to_string(pattern.cause)}};
}

// Returns the settings of an analysis, by their keys in report.json.
Json configuration_json(const Configuration& configuration);

}  // namespace reveal::report
