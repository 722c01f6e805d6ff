#include "text/ascii.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace reveal::text {
namespace {

struct Form {
  std::string_view utf8;
  std::string_view ascii;
};

constexpr auto kForms = std::to_array<Form>({
    // Sparklines and bars.
    {"▁", "_"},  {"▂", "."},  {"▃", "-"},  {"▄", "="},  {"▅", "+"},   {"▆", "*"},  {"▇", "%"},
    {"█", "#"},  {"░", "."},  {"±", "+-"}, {"²", "^2"}, {"³", "^3"},  {"µ", "u"},  {"°", " deg "},
    {"×", "x"},  {"–", "-"},  {"—", "-"},  {"−", "-"},  {"…", "..."}, {"·", "-"},  {"•", "*"},
    {"≤", "<="}, {"≥", ">="}, {"→", "->"}, {"‘", "'"},  {"’", "'"},   {"“", "\""}, {"”", "\""},
});

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Returns the number of bytes of the character that text begins with.
std::size_t character_bytes(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && is_continuation(text[bytes])) ++bytes;
  return bytes;
}

}  // namespace

bool is_ascii_wanted() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string charset(value);
    std::erase(charset, '-');
    std::transform(charset.begin(), charset.end(), charset.begin(),
                   [](unsigned char c) { return c < 0x80U ? static_cast<char>(c | 0x20U) : c; });
    return charset.find("utf8") == std::string::npos;
  }
  return false;
}

std::string to_ascii(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (static_cast<unsigned char>(text[0]) < 0x80U) {
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    const auto character = text.substr(0, character_bytes(text));
    const auto* form = std::find_if(kForms.begin(), kForms.end(),
                                    [&](const Form& one) { return one.utf8 == character; });
    out += form == kForms.end() ? std::string_view("?") : form->ascii;
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace reveal::text
