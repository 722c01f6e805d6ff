#include "text/parse_number.h"

#include <array>
#include <charconv>

namespace reveal::text {
namespace {

template <typename Value>
void append_chars(std::string& out, Value value) {
  std::array<char, 20> text{};  // the longest integer
  const auto done = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), done.ptr);
}

template <typename Value>
std::optional<Value> parse_all(std::string_view text) {
  Value value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void append_number(std::string& out, std::uint64_t value) {
  append_chars(out, value);
}

void append_number(std::string& out, std::int64_t value) {
  append_chars(out, value);
}

std::optional<std::uint64_t> parse_u64(std::string_view text) {
  return parse_all<std::uint64_t>(text);
}

std::optional<std::int64_t> parse_i64(std::string_view text) {
  return parse_all<std::int64_t>(text);
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<Number> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  Number out;
  if (const auto count = parse_all<std::uint64_t>(text)) {
    out.whole = true;
    out.count = *count;
    out.real = static_cast<double>(*count);
    return out;
  }
  const auto real = parse_all<double>(text);
  if (!real) return std::nullopt;
  out.real = *real;
  return out;
}

}  // namespace reveal::text
