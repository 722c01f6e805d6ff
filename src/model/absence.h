// Why a signal has no value in a tick. Both are NaN, so that arithmetic needs to know of neither: a
// source that should have been read and was not, and one whose turn it was not.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace reveal::model {

inline constexpr double kMissingValue = std::numeric_limits<double>::quiet_NaN();

// A quiet NaN with a payload of its own. Copying keeps it; arithmetic need not.
inline constexpr std::uint64_t kNotDueBits = 0x7FF8'0000'0000'0D0E;
inline double not_due() {
  return std::bit_cast<double>(kNotDueBits);
}
inline bool is_not_due(double value) {
  return std::bit_cast<std::uint64_t>(value) == kNotDueBits;
}

}  // namespace reveal::model
