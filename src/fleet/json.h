// The comparison for machines. docs/compare.md is its description; a change of meaning raises
// kSchemaVersion.
#pragma once

#include <string>

#include "fleet/comparison.h"
#include "report/json_parts.h"

namespace reveal::fleet {

inline constexpr int kSchemaVersion = 2;

// Returns what says which quantity it is, the first members of its object.
report::Json quantity_json(const Quantity& quantity);

// Returns the comparison as indented JSON with a final newline.
std::string to_json(const Comparison& comparison);

}  // namespace reveal::fleet
