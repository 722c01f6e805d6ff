#include "http/target.h"

#include <optional>
#include <utility>

#include "text/character.h"

namespace reveal::http {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

// Returns the character of "%XY" at the front of `text`, or nothing.
std::optional<char> escaped_char(std::string_view text) {
  if (text.size() < 3) return {};
  const auto high = text::hex_digit(text[1]);
  const auto low = text::hex_digit(text[2]);
  if (!high || !low) return {};
  return static_cast<char>(*high * 16 + *low);
}

base::Result<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  while (!text.empty()) {
    char c = text.front();
    std::size_t taken = 1;
    if (c == '%') {
      const auto escaped = escaped_char(text);
      if (!escaped) {
        return base::fail(base::ErrorKind::kUsage, "a percent sign without two hexadecimal digits",
                          {}, "write %25 for a percent sign");
      }
      c = *escaped;
      taken = 3;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    if (text::is_control(c)) {
      return base::fail(base::ErrorKind::kUsage, "a control character in the address");
    }
    out += c;
    text.remove_prefix(taken);
  }
  return out;
}

base::Result<Parameter> parse_parameter(std::string_view text) {
  const auto equals = text.find('=');
  auto name = decoded(text.substr(0, equals), true);
  if (!name) return base::pass(name);
  if (equals == std::string_view::npos) return Parameter{std::move(*name), {}};
  auto value = decoded(text.substr(equals + 1), true);
  if (!value) return base::pass(value);
  return Parameter{std::move(*name), std::move(*value)};
}

base::Result<std::vector<Parameter>> parse_parameters(std::string_view text) {
  std::vector<Parameter> out;
  while (!text.empty()) {
    const auto end = text.find('&');
    const auto part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (part.empty()) continue;
    if (out.size() == kMostParameters) {
      return base::fail(base::ErrorKind::kUsage, "more than 64 parameters");
    }
    auto parameter = parse_parameter(part);
    if (!parameter) return base::pass(parameter);
    out.push_back(std::move(*parameter));
  }
  return out;
}

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

base::Result<Target> parse_target(std::string_view text) {
  if (!text.starts_with('/')) {
    return base::fail(base::ErrorKind::kUsage, "the address does not begin with a slash");
  }
  const auto question = text.find('?');
  auto path = decoded(text.substr(0, question), false);
  if (!path) return base::pass(path);
  if (question == std::string_view::npos) return Target{std::move(*path)};
  auto parameters = parse_parameters(text.substr(question + 1));
  if (!parameters) return base::pass(parameters);
  return Target{std::move(*path), std::move(*parameters)};
}

std::string encoded(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
  }
  return out;
}

}  // namespace reveal::http
