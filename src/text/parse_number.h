// Numbers to text and back: whole numbers exact to 64 bits, and numbers in texts of other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reveal::text {

// Appends a whole number.
void append_number(std::string& out, std::uint64_t value);
void append_number(std::string& out, std::int64_t value);

// Returns the whole number that is all of `text`, or nothing.
std::optional<std::uint64_t> parse_u64(std::string_view text);
std::optional<std::int64_t> parse_i64(std::string_view text);

// A number from another program's text: exact if it is whole and fits 64 bits.
struct Number {
  bool whole = false;
  std::uint64_t count = 0;  // if it is whole
  double real = 0;          // always
};

// Returns the number that is all of `text`, spaces around it aside. Takes a sign, an exponent,
// inf and nan in any case; nothing if it is not a number.
std::optional<Number> parse_number(std::string_view text);

// Returns `text` without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

}  // namespace reveal::text
