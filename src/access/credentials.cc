#include "access/credentials.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <openssl/evp.h>

#include "text/character.h"
#include "text/parse_number.h"

namespace reveal::access {
namespace {

bool is_word(std::string_view text, std::string_view lower_case_word) {
  return std::equal(
      text.begin(), text.end(), lower_case_word.begin(), lower_case_word.end(),
      [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns the bytes of a base64 text with its padding; nothing if it is none. OpenSSL's decoder
// passes over blanks and takes padding anywhere, so what it gets is checked first.
std::optional<std::string> from_base64(std::string_view text) {
  const auto digits = text.substr(0, text.find('='));
  const auto padding = text.size() - digits.size();
  const bool is_sound = text.size() % 4 == 0 && padding <= 2 &&
                        text.find_first_not_of('=', digits.size()) == std::string_view::npos &&
                        std::all_of(digits.begin(), digits.end(), [](char c) {
                          return is_alphanumeric(c) || c == '+' || c == '/';
                        });
  if (!is_sound || text.empty()) return {};
  std::string out(text.size() / 4 * 3, '\0');
  const int size = ::EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  if (size < 0) return {};
  out.resize(static_cast<std::size_t>(size) - padding);
  return out;
}

Credentials basic(std::string_view text) {
  const auto pair = from_base64(text);
  if (!pair || std::any_of(pair->begin(), pair->end(), text::is_control)) return {};
  const auto colon = pair->find(':');
  if (colon == std::string::npos) return {};
  return Password{.name = pair->substr(0, colon), .secret = pair->substr(colon + 1)};
}

Credentials bearer(std::string_view text) {
  const bool is_sound = std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || std::string_view("-._~+/=").find(c) != std::string_view::npos;
  });
  if (text.empty() || !is_sound) return {};
  return Token{.secret = std::string(text)};
}

}  // namespace

Credentials parse_credentials(std::string_view header) {
  const auto end = header.find(' ');
  if (end == std::string_view::npos) return {};
  const auto scheme = header.substr(0, end);
  const auto rest = text::trimmed(header.substr(end));
  if (is_word(scheme, "basic")) return basic(rest);
  if (is_word(scheme, "bearer")) return bearer(rest);
  return {};
}

}  // namespace reveal::access
