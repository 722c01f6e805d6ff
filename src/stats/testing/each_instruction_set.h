// For tests: what is compiled for several instruction sets is run with each that the machine has.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace reveal::stats {

// Calls check() with all sets that the machine has, without the best, and so on to the last, and
// then leaves the choice to the processor again.
template <typename Check>
void for_each_instruction_set(Check check) {
  const auto supported = static_cast<std::uint64_t>(hwy::SupportedTargets());
  for (std::uint64_t left = supported; left != 0; left &= left - 1) {  // the lowest bit is the best
    hwy::SetSupportedTargetsForTest(static_cast<std::int64_t>(left));
    SCOPED_TRACE(hwy::TargetName(static_cast<std::int64_t>(left & -left)));
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace reveal::stats
