// Kinds of single characters of ASCII.
#pragma once

#include <optional>

namespace reveal::text {

// Returns whether it is a control character, DEL and line feeds included.
constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

// Returns the value of a hexadecimal digit of either case; nothing if it is not one.
constexpr std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return {};
}

}  // namespace reveal::text
