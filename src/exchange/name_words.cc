#include "exchange/name_words.h"

namespace reveal::exchange {
namespace {

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
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

bool has_words(const std::string& words, std::string_view text) {
  return words.find(" " + std::string(text) + " ") != std::string::npos;
}

bool is_device_key(std::string_view key) {
  return key == "dev" || key == "device";
}

}  // namespace reveal::exchange
