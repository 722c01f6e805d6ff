#include "http/accept.h"

#include <optional>

#include "text/parse_number.h"

namespace reveal::http {
namespace {

// Returns what is before the next `mark` and removes it from `rest`.
std::string_view next_part(std::string_view& rest, char mark) {
  const auto end = rest.find(mark);
  const auto part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return text::trimmed(part);
}

std::optional<double> parse_quality(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return {};
  const auto number = text::parse_number(text);
  if (!number || !(number->real >= 0 && number->real <= 1)) return {};
  return number->real;
}

std::optional<Accepted> parse_entry(std::string_view entry) {
  Accepted out{.type = next_part(entry, ';')};
  while (!entry.empty()) {
    auto parameter = next_part(entry, ';');
    const auto name = next_part(parameter, '=');
    if (name == "version") out.version = parameter;
    if (name != "q") continue;
    const auto quality = parse_quality(parameter);
    if (!quality) return {};
    out.quality = *quality;
  }
  return out;
}

}  // namespace

void for_each_accepted(std::string_view accept, const std::function<void(const Accepted&)>& each) {
  while (!accept.empty()) {
    const auto entry = parse_entry(next_part(accept, ','));
    if (entry) each(*entry);
  }
}

}  // namespace reveal::http
