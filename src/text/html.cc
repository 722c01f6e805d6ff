#include "text/html.h"

#include "text/safe_text.h"

namespace reveal::text {
namespace {

// Returns what stands for a character in an element's content; empty: itself.
std::string_view in_content(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    default:
      return {};
  }
}

std::string_view in_attribute(char c) {
  if (c == '"') return "&quot;";
  if (c == '\'') return "&#39;";
  return in_content(c);
}

std::string escaped(std::string_view text, std::string_view (*entity_of)(char)) {
  std::string out;
  for (const char c : inert(text)) {
    if (const auto entity = entity_of(c); !entity.empty()) {
      out += entity;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string html(std::string_view text) {
  return escaped(text, in_attribute);
}

std::string html_content(std::string_view text) {
  return escaped(text, in_content);
}

}  // namespace reveal::text
