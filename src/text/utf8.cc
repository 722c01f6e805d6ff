#include "text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace reveal::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Sequences by their first byte, with the range of the second; the others are 0x80 to 0xBF.
struct Form {
  std::uint8_t first_low, first_high;
  std::uint8_t second_low, second_high;
  std::size_t length;
};
constexpr Form kForms[] = {
    {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

std::uint8_t byte(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

bool has_form(std::string_view text, const Form& form) {
  if (text.size() < form.length || byte(text, 0) < form.first_low ||
      byte(text, 0) > form.first_high) {
    return false;
  }
  if (form.length == 1) return true;
  if (byte(text, 1) < form.second_low || byte(text, 1) > form.second_high) return false;
  for (std::size_t i = 2; i < form.length; ++i) {
    if ((byte(text, i) & 0xC0) != 0x80) return false;
  }
  return true;
}

// Returns the length of the sequence that `text` begins with; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  for (const Form& form : kForms) {
    if (has_form(text, form)) return form.length;
  }
  return 0;
}

// Returns the number of bytes from the begin that are UTF-8.
std::size_t sound_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace

std::string_view as_utf8(std::string_view text, std::string& mended) {
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii || sound_length(text) == text.size()) return text;
  mended.clear();
  while (!text.empty()) {
    const std::size_t sound = sound_length(text);
    mended.append(text.substr(0, sound));
    text.remove_prefix(sound);
    if (text.empty()) break;
    mended.append(kReplacement);
    text.remove_prefix(1);
  }
  return mended;
}

}  // namespace reveal::text
