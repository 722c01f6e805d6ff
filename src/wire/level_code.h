// A level as a small number, and back: docs/wire_format.md, "Levels". A code keeps the exponent of
// a level and six bits after the first, so codes are wrong by 0.79 % at most, need no logarithm,
// and are the same on every host.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace reveal::wire {

using Code = std::int16_t;

inline constexpr Code kAbsent = 32'767;  // there is no level
inline constexpr std::uint32_t kLargestMagnitude = 16'319;

namespace internal {

inline constexpr int kDroppedBits = 17;  // of the 23 after the first
inline constexpr std::uint32_t kHalf = 1U << (kDroppedBits - 1);

}  // namespace internal

// Returns exponent and leading bits of a level's size, at most kLargestMagnitude. REQUIRES: it is
// finite.
inline std::uint32_t magnitude_of(float level) {
  const auto bits = std::bit_cast<std::uint32_t>(std::fabs(level));
  const std::uint32_t magnitude = (bits + internal::kHalf) >> internal::kDroppedBits;
  return magnitude < kLargestMagnitude ? magnitude : kLargestMagnitude;
}

// Returns the floor of a quantity: levels of which the size rounds to less than that of `least` are
// told as 0. REQUIRES: it is finite.
inline std::uint16_t floor_of(float least) {
  const std::uint32_t magnitude = magnitude_of(least);
  return static_cast<std::uint16_t>(magnitude == 0 ? 1 : magnitude);
}

// Returns the code of a level. REQUIRES: the floor is at least 1.
inline Code code_of(float level, std::uint16_t floor) {
  if (!std::isfinite(level)) return kAbsent;
  const std::uint32_t magnitude = magnitude_of(level);
  if (magnitude < floor) return 0;
  const auto code = static_cast<std::int32_t>(magnitude - floor + 1);
  return static_cast<Code>(level < 0 ? -code : code);
}

// Returns the level of a code; NaN if there is none.
inline float level_of(Code code, std::uint16_t floor) {
  if (code == 0) return 0;
  const auto size = static_cast<std::uint32_t>(code < 0 ? -std::int32_t{code} : code);
  const std::uint32_t magnitude = size - 1 + floor;
  if (magnitude > kLargestMagnitude) return std::numeric_limits<float>::quiet_NaN();
  const auto level = std::bit_cast<float>(magnitude << internal::kDroppedBits);
  return code < 0 ? -level : level;
}

// Returns whether a number is a code.
inline bool is_code(std::int64_t number) {
  constexpr auto kLargest = std::int64_t{kLargestMagnitude};
  return (number >= -kLargest && number <= kLargest) || number == kAbsent;
}

}  // namespace reveal::wire
