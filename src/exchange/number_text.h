// Samples as text and back, bit for bit. Whole numbers are written in full. Real numbers get the
// shortest decimal that gives the same bits; NaN is "nan" (or "-nan" with the sign bit), and
// "nan(0x7ff8000000000001)" where its other bits are not those of the usual NaN, which C's strtod
// takes for a NaN as well; infinities are "inf" and "-inf"; -0.0 is "-0".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/metric.h"

namespace reveal::exchange {

// Appends the number that the 64 bits of a sample stand for.
void append_sample(std::string& out, std::uint64_t bits, model::Repr repr);

// The same for JSON, which has neither NaN nor infinities: they become strings. A real number
// always has a point or an exponent, so that readers do not take it for an integer (-0.0).
void append_json_sample(std::string& out, std::uint64_t bits, model::Repr repr);

// Returns the bits that append_sample() wrote; nothing where the text is no such number.
std::optional<std::uint64_t> parse_sample(std::string_view text, model::Repr repr);

// Appends a whole number.
void append_number(std::string& out, std::uint64_t value);
void append_number(std::string& out, std::int64_t value);

// Returns the whole number that is all of `text`, or nothing.
std::optional<std::uint64_t> parse_u64(std::string_view text);
std::optional<std::int64_t> parse_i64(std::string_view text);

// A number as somebody else's text has it: exact where it is whole and fits 64 bits.
struct Number {
  bool whole = false;
  std::uint64_t count = 0;  // where it is whole
  double real = 0;          // always
};

// Returns the number that is all of `text`, spaces around it aside. Takes a sign, an exponent,
// inf and nan in any case; nothing where it is no number.
std::optional<Number> parse_number(std::string_view text);

// Returns `text` without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

}  // namespace reveal::exchange
