#include "text/html.h"

#include "text/safe_text.h"

namespace reveal::text {

std::string html(std::string_view text) {
  std::string out;
  for (const char c : inert(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace reveal::text
