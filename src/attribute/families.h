// Families of subsystems: those that slow one another so that they are told together.
#pragma once

#include <bitset>
#include <cstddef>
#include <vector>

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

// Returns those of the rows that are told by the subsystem's family, given the families of each
// row; all of them if nothing is known of that.
std::vector<std::size_t> rows_told_by(model::Subsystem subsystem,
                                      const std::vector<std::size_t>& rows,
                                      const std::vector<Families>& families);

}  // namespace reveal::attribute
