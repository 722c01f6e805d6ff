// Cursors over the kernel's text, shared by all parsers: lines, and the blank-separated words of a
// line. Only a line with its newline counts: the tail of a text that was cut short may end in the
// middle of a number, and half a number is an invented value.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace reveal::procfs {

using Value = std::optional<std::uint64_t>;  // nothing: the text does not say

class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  // Moves to the next complete line, without its newline. Returns false at the end.
  bool next(std::string_view& line) {
    if (at_ == end_) return false;
    const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    if (newline == nullptr) return false;
    const char* stop = static_cast<const char*>(newline);
    line = {at_, static_cast<std::size_t>(stop - at_)};
    at_ = stop + 1;
    return true;
  }

 private:
  const char* at_;
  const char* end_;
};

// Returns the word as a number if it is decimal digits and nothing else and fits 64 bits.
inline Value parse_u64(std::string_view word) {
  std::uint64_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Returns the word as a number if it is 0x and hexadecimal digits, and nothing else, and fits 64
// bits.
inline Value parse_0x(std::string_view word) {
  if (!word.starts_with("0x") && !word.starts_with("0X")) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data() + 2, end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

class WordCursor {
 public:
  explicit WordCursor(std::string_view line) : at_(line.data()), end_(at_ + line.size()) {}

  // Moves to the next word. Returns false at the end of the line.
  bool next(std::string_view& word) {
    skip_blanks();
    if (at_ == end_) return false;
    const char* begin = at_;
    while (at_ != end_ && !is_blank(*at_)) ++at_;
    word = {begin, static_cast<std::size_t>(at_ - begin)};
    return true;
  }

  // Moves to the next word as a number, or nothing if the word is not one. Returns false at the end
  // of the line.
  bool next(Value& value) {
    skip_blanks();
    if (at_ == end_) return false;
    const char* begin = at_;
    std::uint64_t number = 0;
    while (at_ != end_ && is_digit(*at_)) number = number * 10 + digit(*at_++);
    const bool whole_word = at_ == end_ || is_blank(*at_);
    if (whole_word && at_ - begin <= kSafeDigits) {
      value = number;
      return true;
    }
    return next_unusual(begin, value);
  }

  // Returns what is left of the line, blanks before it skipped.
  std::string_view rest() {
    skip_blanks();
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

 private:
  static constexpr std::ptrdiff_t kSafeDigits = 19;  // 10^19 - 1 fits 64 bits, 20 digits may not

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static std::uint64_t digit(char c) { return static_cast<std::uint64_t>(c - '0'); }
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  bool next_unusual(const char* begin, Value& value) {
    at_ = begin;
    std::string_view word;
    next(word);
    value = parse_u64(word);
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace reveal::procfs
