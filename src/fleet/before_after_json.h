// The comparison of two runs for machines. docs/compare.md is its description; a change of meaning
// raises kBeforeAfterVersion.
#pragma once

#include <string>

#include "fleet/before_after.h"

namespace reveal::fleet {

inline constexpr int kBeforeAfterVersion = 1;

// Returns it as indented JSON with a final newline.
std::string to_json(const BeforeAfter& comparison);

}  // namespace reveal::fleet
