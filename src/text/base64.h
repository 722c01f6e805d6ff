// Bytes as text: base64 with padding. Source: RFC 4648, section 4.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reveal::text {

// Returns the length of that many bytes as base64.
constexpr std::size_t base64_length(std::size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

// Appends `bytes` as base64.
void append_base64(std::string_view bytes, std::string& out);

// Returns them.
std::string base64(std::string_view bytes);

}  // namespace reveal::text
