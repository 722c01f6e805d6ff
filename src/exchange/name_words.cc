#include "exchange/name_words.h"

namespace reveal::exchange {
namespace {

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}

}  // namespace

std::string spaced_words(std::string_view text) {
  std::string out = " ";
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (is_alnum(c)) {
      out += c;
    } else if (out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.back() != ' ') out += ' ';
  return out;
}

// The last of several capitals begins a word if a small letter comes after it.
std::string parted_by_case(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool after_small = i > 0 && !is_capital(name[i - 1]);
    const bool before_small = i + 1 < name.size() && is_small(name[i + 1]);
    if (i > 0 && is_capital(name[i]) && (after_small || before_small)) out += ' ';
    out += name[i];
  }
  return out;
}

bool has_words(const std::string& words, std::string_view text) {
  return words.find(" " + std::string(text) + " ") != std::string::npos;
}

bool is_device_key(std::string_view key) {
  return key == "dev" || key == "device";
}

}  // namespace reveal::exchange
