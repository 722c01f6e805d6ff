#include "procfs/pmu_text.h"

#include <charconv>
#include <cmath>

namespace reveal::procfs {
namespace {

constexpr unsigned kTopBit = 63;

std::string_view take_until(char separator, std::string_view& text) {
  const auto at = text.find(separator);
  const auto head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

std::optional<std::size_t> word_number(std::string_view name) {
  if (!name.starts_with("config")) return std::nullopt;
  name.remove_prefix(6);
  if (name.empty()) return 0;
  const Value number = parse_u64(name);
  if (!number || *number == 0 || *number >= kPmuWords) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

std::optional<BitRange> parse_range(std::string_view text) {
  const auto low = parse_u64(take_until('-', text));
  const auto high = text.empty() ? low : parse_u64(text);
  if (!low || !high || *low > *high || *high > kTopBit) return std::nullopt;
  return BitRange{static_cast<unsigned>(*low), static_cast<unsigned>(*high)};
}

// Decimal or, as the kernel writes most, hexadecimal with 0x.
Value parse_number(std::string_view word) {
  const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  return hexadecimal ? parse_0x(word) : parse_u64(word);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<PmuField> parse_pmu_field(std::string_view text) {
  text = trimmed(text);
  const auto word = word_number(take_until(':', text));
  if (!word || text.empty()) return std::nullopt;
  PmuField field{*word, {}};
  while (!text.empty()) {
    const auto range = parse_range(take_until(',', text));
    if (!range) return std::nullopt;
    field.bits.push_back(*range);
  }
  return field;
}

std::vector<EventTerm> parse_event_terms(std::string_view text) {
  std::vector<EventTerm> terms;
  text = trimmed(text);
  while (!text.empty()) {
    std::string_view rest = take_until(',', text);
    EventTerm term;
    term.has_value = rest.find('=') != std::string_view::npos;
    term.name = trimmed(take_until('=', rest));
    if (term.has_value) term.value = parse_number(trimmed(rest));
    terms.push_back(term);
  }
  return terms;
}

std::optional<double> parse_event_scale(std::string_view text) {
  text = trimmed(text);
  double scale = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, scale);
  if (error != std::errc() || stop != end || !std::isfinite(scale) || scale <= 0.0) {
    return std::nullopt;
  }
  return scale;
}

}  // namespace reveal::procfs
