// The comparison that a person reads on a terminal.
#pragma once

#include <string>

#include "fleet/comparison.h"
#include "text/time_text.h"

namespace reveal::fleet {

struct TextOptions {
  bool colors = false;
  text::Clock clock = text::Clock();
  bool all = false;  // every difference, not the ten that say most of each host
};

// Returns the comparison as UTF-8, a line a difference.
std::string to_text(const Comparison& comparison, const TextOptions& options);

}  // namespace reveal::fleet
