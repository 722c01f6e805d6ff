// Families of subsystems: those that slow one another so that they are told together.
#pragma once

#include <bitset>
#include <cstddef>

#include "model/metric.h"

namespace reveal::attribute {

// By family, whose place is that of the subsystem that family_of() returns.
using Families = std::bitset<model::kSubsystemCount>;

// Returns the subsystem, storage for memory: what is short of memory swaps, and what is written
// waits in memory.
model::Subsystem family_of(model::Subsystem subsystem);

inline bool has(const Families& families, model::Subsystem subsystem) {
  return families[static_cast<std::size_t>(family_of(subsystem))];
}

inline Families all_families() {
  return Families().set();
}

}  // namespace reveal::attribute
