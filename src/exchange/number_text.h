// Samples as text and back, bit for bit. Whole numbers are written in full. Real numbers get the
// shortest decimal that gives the same bits; NaN is "nan" (or "-nan" with the sign bit), and
// "nan(0x7ff8000000000001)" if its other bits are not those of the usual NaN, which C's strtod
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

// Returns the bits that append_sample() wrote; nothing if the text is no such number.
std::optional<std::uint64_t> parse_sample(std::string_view text, model::Repr repr);

}  // namespace reveal::exchange
