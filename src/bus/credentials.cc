#include "bus/credentials.h"

#include <algorithm>
#include <cstdint>

#include <nlohmann/json.hpp>

namespace reveal::bus {
namespace {

constexpr std::string_view kBegin = "-----BEGIN NATS USER JWT-----";
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t kKeyLength = 56;

// Returns the text of base64url (RFC 4648) without padding; empty if it is none.
std::string decoded(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const auto value = kAlphabet.find(letter);
    if (value == kAlphabet.npos) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFF);
  }
  return out;
}

// Returns the claims of the JWT in the text, as JSON: what is between its two dots.
std::string claims(std::string_view text) {
  const auto begin = text.find(kBegin);
  if (begin == text.npos) return {};
  text.remove_prefix(begin + kBegin.size());
  text = text.substr(0, text.find("-----"));
  const auto first = text.find('.');
  const auto second = first == text.npos ? first : text.find('.', first + 1);
  return second == text.npos ? std::string() : decoded(text.substr(first + 1, second - first - 1));
}

// It becomes a part of a subject.
bool is_user_key(std::string_view text) {
  return text.size() == kKeyLength && text.front() == 'U' &&
         std::ranges::all_of(text, [](char letter) {
           return (letter >= 'A' && letter <= 'Z') || (letter >= '2' && letter <= '7');
         });
}

}  // namespace

std::string subject_of_credentials(std::string_view text) {
  const auto read = nlohmann::json::parse(claims(text), nullptr, /*allow_exceptions=*/false);
  if (!read.is_object()) return {};
  const auto subject = read.find("sub");
  if (subject == read.end() || !subject->is_string()) return {};
  auto key = subject->get<std::string>();
  return is_user_key(key) ? key : std::string();
}

}  // namespace reveal::bus
