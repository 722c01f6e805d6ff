#include "procfs/mount_text.h"

#include <optional>

namespace reveal::procfs {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

// Returns the byte that "\040" stands for, at the start of `text`; nothing for anything else.
std::optional<char> octal_byte(std::string_view text) {
  constexpr std::size_t kSize = 4;
  if (text.size() < kSize || text[0] != '\\' || text[1] > '3') return std::nullopt;
  int byte = 0;
  for (std::size_t i = 1; i < kSize; ++i) {
    if (!is_octal(text[i])) return std::nullopt;
    byte = byte * 8 + (text[i] - '0');
  }
  return static_cast<char>(byte);
}

}  // namespace

std::string unescaped_path(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto byte = octal_byte(text);
    out += byte.value_or(text.front());
    text.remove_prefix(byte ? 4 : 1);
  }
  return out;
}

}  // namespace reveal::procfs
