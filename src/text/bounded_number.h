// Numbers as people type them, within bounds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace reveal::text {

// Return the number that is all of `text`. Fail with kUsage, naming the permitted range, for
// anything else and for a number outside of it. A bound that is the type's own is not mentioned.
base::Result<std::int64_t> signed_within(std::string_view text, std::int64_t least,
                                         std::int64_t most);
base::Result<std::uint64_t> count_within(std::string_view text, std::uint64_t least,
                                         std::uint64_t most);
base::Result<double> real_within(std::string_view text, double least, double most);

template <typename Number>
base::Result<Number> number_within(std::string_view text, Number least, Number most) {
  const auto narrow = [](auto wide) { return static_cast<Number>(wide); };
  if constexpr (std::is_floating_point_v<Number>) {
    return real_within(text, least, most).map(narrow);
  } else if constexpr (std::is_signed_v<Number>) {
    return signed_within(text, least, most).map(narrow);
  } else {
    return count_within(text, least, most).map(narrow);
  }
}

// Returns the number as people would type it.
std::string real_text(double value);

template <typename Number>
std::string number_text(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    return real_text(value);
  } else {
    return std::to_string(value);
  }
}

}  // namespace reveal::text
