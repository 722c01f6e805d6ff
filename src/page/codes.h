// Numbers as the page carries them: codes on a linear scale, as differences, in planes of bytes,
// deflated, as base64. docs/page_format.md is the description that the page's script follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace reveal::page {

// How many bits a code has.
enum class CodeBits : std::uint8_t { k8 = 8, k16 = 16 };

inline constexpr std::uint16_t kMissingCode = 0;

// What the codes 1 and the greatest stand for.
struct Scale {
  double low = 0;
  double high = 0;
};

// Returns the greatest code.
constexpr std::uint16_t greatest_code(CodeBits bits) {
  return bits == CodeBits::k8 ? 0xFF : 0xFFFF;
}

// Returns the code of `value`: kMissingCode for NaN; what is outside of the scale is at its end.
std::uint16_t code_of(double value, const Scale& scale, CodeBits bits);

// Appends a series as differences, for 16 bits the plane of low bytes before that of high bytes.
void append_planes(std::span<const std::uint16_t> codes, CodeBits bits, std::string& out);

// Returns `bytes` as a raw DEFLATE stream (RFC 1951) at the highest level.
std::string deflated(std::string_view bytes);

}  // namespace reveal::page
