#include "agent/checked_json.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "store/record.h"

namespace reveal::agent {
namespace {

constexpr std::string_view kKey = "crc32";
// Digits of an ending that is shown, where a real one has others.
constexpr std::string_view kAnyDigits = "********";
// An ending that somebody has written anew, with other spaces, is within so many bytes.
constexpr std::size_t kNearEnd = 64;

// Returns what follows the last member of a JSON object.
std::string ending(std::string_view key, std::string_view value, bool indented) {
  return indented ? fmt::format(",\n  \"{}\": \"{}\"\n}}\n", key, value)
                  : fmt::format(",\"{}\":\"{}\"}}\n", key, value);
}

// Returns whether it is an ending, of which a byte may have become another one.
bool is_ending(std::string_view end, std::string_view any) {
  std::size_t damaged = 0;
  for (std::size_t i = 0; i < any.size(); ++i) {
    if (any[i] != '*' && any[i] != end[i]) ++damaged;
  }
  return damaged <= 1;
}

std::string_view up_to_last_member(std::string_view json) {
  return json.substr(0, json.find_last_not_of(" \n", json.rfind('}') - 1) + 1);
}

bool is_indented(std::string_view json) {
  return json[json.rfind('}') - 1] == '\n';
}

std::string_view last(std::string_view text, std::size_t bytes) {
  return text.substr(text.size() - std::min(text.size(), bytes));
}

}  // namespace

std::string crc32_text(std::string_view bytes) {
  return fmt::format("{:08x}", store::crc32(base::as_bytes(bytes)));
}

std::string with_member(std::string_view json, std::string_view key, std::string_view value) {
  return std::string(up_to_last_member(json)) + ending(key, value, is_indented(json));
}

std::string with_checksum(std::string_view json) {
  return with_member(json, kKey, crc32_text(up_to_last_member(json)));
}

base::Result<std::string> without_checksum(std::string text, const std::filesystem::path& where) {
  bool has_one = last(text, kNearEnd).find(fmt::format("\"{}\"", kKey)) != std::string_view::npos;
  for (const bool indented : {false, true}) {
    const auto any = ending(kKey, kAnyDigits, indented);
    if (text.size() <= any.size() || !is_ending(last(text, any.size()), any)) continue;
    has_one = true;
    const auto body = std::string_view(text).substr(0, text.size() - any.size());
    if (!text.ends_with(ending(kKey, crc32_text(body), indented))) continue;
    text.resize(body.size());
    return std::move(text) + (indented ? "\n}\n" : "}\n");
  }
  if (!has_one) return text;
  return base::fail(base::ErrorKind::kCorrupt, "has another checksum than its text: it is damaged",
                    where.string());
}

}  // namespace reveal::agent
