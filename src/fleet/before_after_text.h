// The comparison of two runs as a person reads it on a terminal.
#pragma once

#include <string>

#include "fleet/before_after.h"
#include "fleet/text.h"

namespace reveal::fleet {

// Returns it as UTF-8, a line a change.
std::string to_text(const BeforeAfter& comparison, const TextOptions& options);

}  // namespace reveal::fleet
