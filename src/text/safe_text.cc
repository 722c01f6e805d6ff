#include "text/safe_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace reveal::text {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Control and format characters, combining marks and others without a column, surrogates, private
// use: what terminals disagree on, or what steers them.
constexpr auto kUnsafe = std::to_array<Range>({
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},    {0x0300, 0x036f}, {0x0483, 0x0489},
    {0x0590, 0x08ff},   {0x0900, 0x109f},   {0x115f, 0x11ff},    {0x1700, 0x18ff}, {0x1a00, 0x1cff},
    {0x1dc0, 0x1dff},   {0x200b, 0x200f},   {0x2028, 0x202f},    {0x205f, 0x206f}, {0x20d0, 0x20ff},
    {0x2cef, 0x2cf1},   {0x2de0, 0x2dff},   {0x302a, 0x302f},    {0x3099, 0x309a}, {0x3164, 0x3164},
    {0xa66f, 0xa67d},   {0xa69e, 0xa69f},   {0xa6f0, 0xa6f1},    {0xa800, 0xabff}, {0xd7b0, 0xf8ff},
    {0xfb1d, 0xfe0f},   {0xfe20, 0xfe2f},   {0xfe70, 0xfeff},    {0xffa0, 0xffa0}, {0xfff0, 0xffff},
    {0x10000, 0x1f2ff}, {0x1f3fb, 0x1f3ff}, {0xe0000, 0x10ffff},
});

// Controls and format characters (Unicode's Cc and Cf), separators of lines and paragraphs,
// surrogates, what is not a character, and tags: what steers a terminal or the text around it, or
// hides.
constexpr auto kSteering = std::to_array<Range>({
    {0x0000, 0x001f},   {0x007f, 0x009f},    {0x00ad, 0x00ad},   {0x034f, 0x034f},
    {0x0600, 0x0605},   {0x061c, 0x061c},    {0x06dd, 0x06dd},   {0x070f, 0x070f},
    {0x0890, 0x0891},   {0x08e2, 0x08e2},    {0x115f, 0x1160},   {0x17b4, 0x17b5},
    {0x180b, 0x180f},   {0x200b, 0x200f},    {0x2028, 0x202e},   {0x2060, 0x206f},
    {0x3164, 0x3164},   {0xd800, 0xdfff},    {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff},   {0xffa0, 0xffa0},    {0xfff0, 0xfffb},   {0xfffe, 0xffff},
    {0x110bd, 0x110bd}, {0x110cd, 0x110cd},  {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},
});

constexpr std::array<std::string_view, 5> kStyles{"\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[32m",
                                                  "\x1b[0m"};

constexpr auto kWide = std::to_array<Range>({
    {0x1100, 0x115e},   {0x231a, 0x231b},   {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0},
    {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f},
    {0x2693, 0x2693},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5},
    {0x26ce, 0x26ce},   {0x26d4, 0x26d4},   {0x26ea, 0x26ea}, {0x26f2, 0x26f3}, {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728},
    {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
    {0x27b0, 0x27b0},   {0x27bf, 0x27bf},   {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55},
    {0x2e80, 0x303e},   {0x3041, 0x4dbf},   {0x4e00, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
    {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
});

template <std::size_t N>
bool among(const std::array<Range, N>& ranges, char32_t code) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t c, const Range& range) { return c < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

struct Decoded {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The shortest form only, as UTF-8 demands.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr std::array<char32_t, 5> kMin{0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return {};
    code = (code << 6u) | (byte(i) & 0x3fu);
  }
  if (code < kMin[bytes] || code > 0x10ffff) return {};
  return {code, bytes};
}

std::size_t width(char32_t code) {
  return code >= kWide.front().first && among(kWide, code) ? 2 : 1;
}

// Returns how many bytes of a style of Palette `text` begins with; 0: none.
std::size_t style_at(std::string_view text) {
  for (const std::string_view style : kStyles) {
    if (text.starts_with(style)) return style.size();
  }
  return 0;
}

std::string without_steering(std::string_view text, bool lines, bool styles) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t taken = styles ? style_at(text) : 0;
    if (taken > 0) {
      out += text.substr(0, taken);
    } else if (text.front() == '\t' || text.front() == '\n') {
      out += lines && text.front() == '\n' ? '\n' : ' ';
      taken = 1;
    } else {
      const auto [code, bytes] = decode(text);
      taken = std::max<std::size_t>(bytes, 1);
      if (bytes > 0 && !among(kSteering, code)) {
        out += text.substr(0, bytes);
      } else {
        out += '?';
      }
    }
    text.remove_prefix(taken);
  }
  return out;
}

// Returns the words of a text; each but the first begins with the blank or the slash before it.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" /", 1), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// Returns the text without as many words of its middle as needed; nothing if its first and its last
// word are too long together.
std::string shortened_at_words(std::string_view safe, std::size_t columns,
                               std::string_view ellipsis) {
  const auto words = words_of(safe);
  if (words.size() < 3) return {};
  std::size_t head = 1;
  std::size_t tail = 1;
  std::size_t used = columns_of(words.front()) + columns_of(ellipsis) + columns_of(words.back());
  if (used > columns) return {};
  const auto take = [&](std::string_view word, std::size_t& side) {
    const std::size_t width = columns_of(word);
    if (head + tail == words.size() || used + width > columns) return false;
    used += width;
    ++side;
    return true;
  };
  for (bool more = true; more;) {
    more = take(words[words.size() - 1 - tail], tail);
    if (head + tail < words.size()) more |= take(words[head], head);
  }
  std::string out;
  for (std::size_t i = 0; i < head; ++i) out += words[i];
  out += ellipsis;
  for (std::size_t i = words.size() - tail; i < words.size(); ++i) out += words[i];
  return out;
}

}  // namespace

std::string safe_text(std::string_view text, bool utf8) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = decode(text);
    const bool safe = bytes > 0 && !among(kUnsafe, code) && (utf8 || code < 0x80);
    if (safe) {
      out += text.substr(0, bytes);
    } else {
      out += '?';
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

SafeText::SafeText(std::string_view text) : text_(without_steering(text, true, false)) {}

SafeText SafeText::styled(std::string_view text) {
  SafeText out;
  out.text_ = without_steering(text, true, true);
  return out;
}

std::string inert(std::string_view text) {
  return without_steering(text, false, false);
}

std::size_t columns_of(std::string_view safe) {
  std::size_t columns = 0;
  while (!safe.empty()) {
    const auto [code, bytes] = decode(safe);
    columns += width(code);
    safe.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return columns;
}

std::string cut(std::string_view safe, std::size_t columns) {
  std::size_t used = 0;
  std::size_t end = 0;
  while (end < safe.size()) {
    const auto [code, bytes] = decode(safe.substr(end));
    used += width(code);
    if (used > columns) break;
    end += std::max<std::size_t>(bytes, 1);
  }
  return std::string(safe.substr(0, end));
}

std::string padded(std::string_view safe, std::size_t columns) {
  std::string out = cut(safe, columns);
  out.append(columns - columns_of(out), ' ');
  return out;
}

std::string shortened(std::string_view safe, std::size_t columns, std::string_view ellipsis) {
  const std::size_t all = columns_of(safe);
  if (all <= columns) return std::string(safe);
  if (auto out = shortened_at_words(safe, columns, ellipsis); !out.empty()) return out;
  const std::size_t left = columns - std::min(columns, columns_of(ellipsis));
  const std::size_t head = left - left / 2;
  std::string_view tail = safe;
  while (columns_of(tail) > left - head) {
    tail.remove_prefix(std::max<std::size_t>(decode(tail).bytes, 1));
  }
  return cut(cut(safe, head) + std::string(ellipsis) + std::string(tail), columns);
}

std::string right_aligned(std::string_view safe, std::size_t columns) {
  const std::string text = cut(safe, columns);
  return std::string(columns - columns_of(text), ' ') + text;
}

}  // namespace reveal::text
