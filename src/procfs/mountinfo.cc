#include "procfs/mountinfo.h"

#include <optional>

#include "procfs/text_cursor.h"

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

std::string unescaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto byte = octal_byte(text);
    out += byte.value_or(text.front());
    text.remove_prefix(byte ? 4 : 1);
  }
  return out;
}

bool parse_line(std::string_view line, Mount& mount) {
  WordCursor words(line);
  std::string_view id;
  std::string_view parent;
  std::string_view device;
  std::string_view root;
  std::string_view point;
  if (!words.next(id) || !words.next(parent) || !words.next(device) || !words.next(root) ||
      !words.next(point) || device.find(':') == std::string_view::npos) {
    return false;
  }
  std::string_view word;
  while (words.next(word) && word != "-") {
  }
  if (word != "-" || !words.next(word)) return false;
  mount = {std::string(device), unescaped(point), std::string(word)};
  return true;
}

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view text) {
  std::vector<Mount> out;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    Mount mount;
    if (parse_line(line, mount)) out.push_back(std::move(mount));
  }
  return out;
}

}  // namespace reveal::procfs
