// Numbers that no sensor measures, which drivers and firmware give for a sensor that is not there
// or does not answer: all bits set, the smallest and largest of 16 and 32 bits, and temperatures
// beyond those of any chip.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "procfs/attribute.h"

namespace reveal::collect {

// All bits of 16, 31, 32 and 64 bits, and the smallest numbers of 16 and 32 bits with a sign.
inline constexpr std::array<double, 6> kNoReading = {65'535.0,        2'147'483'647.0,
                                                     4'294'967'295.0, 18'446'744'073'709'551'615.0,
                                                     -32'768.0,       -2'147'483'648.0};

inline bool is_no_reading(double value) {
  return std::ranges::find(kNoReading, value) != kNoReading.end();
}

// Thousandths of a degree Celsius. Chips work above -150 C and below 250 C, the melting point of
// their solder.
inline std::optional<double> parse_temperature(std::string_view text) {
  constexpr double kColdest = -150'000;
  constexpr double kHottest = 250'000;
  const auto value = procfs::parse_decimal(text);
  if (!value || *value < kColdest || *value > kHottest) return std::nullopt;
  return value;
}

// Revolutions a minute.
inline std::optional<double> parse_fan_speed(std::string_view text) {
  constexpr double kFastest = 60'000;
  const auto value = procfs::parse_decimal(text);
  if (!value || *value < 0 || *value > kFastest) return std::nullopt;
  return value;
}

// Millivolts, milliamperes or microwatts. The unit may be told in any number of digits, so a
// sentinel may come times a thousand or a million.
inline std::optional<double> parse_reading(std::string_view text) {
  const auto value = procfs::parse_decimal(text);
  if (!value) return std::nullopt;
  for (const double scale : {1.0, 1e3, 1e6}) {
    if (is_no_reading(*value / scale)) return std::nullopt;
  }
  return value;
}

}  // namespace reveal::collect
