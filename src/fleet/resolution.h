// The smallest deviation worth reporting, whatever the spread: similar hosts differ by a little,
// and a quantity that hardly moves has almost no spread.
#pragma once

#include "fleet/quantity.h"

namespace reveal::fleet {

// What a resolution depends on besides the quantity.
struct Surroundings {
  double memory_bytes = 0;  // installed on a host, median; 0 where unknown
  double window_s = 3;
};

// Returns by how much, in the quantity's unit, hosts may differ from peers of that level as a
// matter of course; a deviation counts from kLimit of these on. REQUIRES: level is finite.
double resolution(const Quantity& quantity, double level, const Surroundings& around);

}  // namespace reveal::fleet
