#include "exchange/number_text.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace reveal::exchange {
namespace {

constexpr std::uint64_t kUsualNan = 0x7FF8'0000'0000'0000;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
constexpr std::string_view kNanBits = "nan(0x";

template <typename Value>
void append_chars(std::string& out, Value value) {
  std::array<char, 32> text{};  // the longest double has 24 characters, the longest integer 20
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

void append_nan(std::string& out, std::uint64_t bits) {
  if (bits == kUsualNan) {
    out += "nan";
  } else if (bits == (kUsualNan | kSignBit)) {
    out += "-nan";
  } else {
    out += fmt::format("{}{:016x})", kNanBits, bits);
  }
}

std::optional<std::uint64_t> parse_nan(std::string_view text) {
  if (text == "nan") return kUsualNan;
  if (text == "-nan") return kUsualNan | kSignBit;
  if (!text.starts_with(kNanBits) || !text.ends_with(')')) return std::nullopt;
  text.remove_prefix(kNanBits.size());
  text.remove_suffix(1);
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isnan(std::bit_cast<double>(bits))) return std::nullopt;
  return bits;
}

void append_real(std::string& out, std::uint64_t bits) {
  const auto value = std::bit_cast<double>(bits);
  if (std::isnan(value)) return append_nan(out, bits);
  append_chars(out, value);
}

std::optional<std::uint64_t> parse_real(std::string_view text) {
  if (text.find('n') != std::string_view::npos) {
    if (const auto nan = parse_nan(text)) return nan;
    if (text != "inf" && text != "-inf") return std::nullopt;
  }
  const auto value = parse_all<double>(text);
  if (!value || std::isnan(*value)) return std::nullopt;
  return std::bit_cast<std::uint64_t>(*value);
}

}  // namespace

void append_sample(std::string& out, std::uint64_t bits, model::Repr repr) {
  if (repr == model::Repr::kU64) return append_chars(out, bits);
  append_real(out, bits);
}

void append_json_sample(std::string& out, std::uint64_t bits, model::Repr repr) {
  if (repr == model::Repr::kU64) return append_chars(out, bits);
  const std::size_t begin = out.size();
  append_real(out, bits);
  if (!std::isfinite(std::bit_cast<double>(bits))) {
    out.insert(begin, 1, '"');
    out += '"';
  } else if (out.find_first_of(".e", begin) == std::string::npos) {
    out += ".0";
  }
}

std::optional<std::uint64_t> parse_sample(std::string_view text, model::Repr repr) {
  return repr == model::Repr::kU64 ? parse_all<std::uint64_t>(text) : parse_real(text);
}

}  // namespace reveal::exchange
