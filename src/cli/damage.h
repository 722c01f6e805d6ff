// What a recording has lost, for the user.
#pragma once

#include <vector>

#include "store/segment_reader.h"

namespace reveal::cli {

// Tells which bytes could not be used, up to a few places. REQUIRES: all frames have been read.
void tell_damage(const store::SegmentReader& reader);
void tell_damage(const std::vector<store::Damage>& damage);

}  // namespace reveal::cli
