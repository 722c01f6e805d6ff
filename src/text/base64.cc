#include "text/base64.h"

#include <algorithm>
#include <cstdint>

namespace reveal::text {

void append_base64(std::string_view bytes, std::string& out) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + base64_length(bytes.size()));
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? static_cast<std::uint8_t>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out.push_back(i <= count ? kDigits[group >> (18 - 6 * i) & 0x3F] : '=');
    }
  }
}

std::string base64(std::string_view bytes) {
  std::string out;
  append_base64(bytes, out);
  return out;
}

}  // namespace reveal::text
