// The comparison for machines. docs/compare.md is its description; a change of meaning raises
// kSchemaVersion.
#pragma once

#include <string>

#include "fleet/comparison.h"

namespace reveal::fleet {

inline constexpr int kSchemaVersion = 2;

// Returns the comparison as indented JSON with a final newline.
std::string to_json(const Comparison& comparison);

}  // namespace reveal::fleet
