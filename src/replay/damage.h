// The losses of a recording, in words.
#pragma once

#include <string>
#include <vector>

#include "store/segment_reader.h"

namespace reveal::replay {

// Returns a line on each place whose bytes could not be used, up to a few; none: nothing was lost.
std::vector<std::string> damage_lines(const std::vector<store::Damage>& damage);

}  // namespace reveal::replay
