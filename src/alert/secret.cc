#include "alert/secret.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hmac.h"
#include "base/whole_file.h"
#include "text/character.h"

namespace reveal::alert {
namespace {

constexpr std::size_t kLongestSecret = 16384;

}  // namespace

base::Result<std::string> read_secret(const std::filesystem::path& file) {
  auto text = base::read_whole_file(file, "secret", kLongestSecret);
  if (!text) return text;
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  if (text->empty()) {
    return base::fail(base::ErrorKind::kCorrupt, "the secret is empty", file.string(),
                      "write it into the file, in one line");
  }
  if (std::any_of(text->begin(), text->end(), text::is_control)) {
    return base::fail(base::ErrorKind::kCorrupt, "the secret has more than one line", file.string(),
                      "write it in one line of printable characters");
  }
  return text;
}

std::string hmac_sha256(std::string_view secret, std::string_view text) {
  const auto digest = base::hmac_sha256(secret, text);
  if (!digest) return {};
  std::string out;
  for (const auto byte : *digest) out += fmt::format("{:02x}", byte);
  return out;
}

std::string signature(std::string_view secret, std::int64_t unix_s, std::string_view body) {
  const std::string time = std::to_string(unix_s);
  return "t=" + time + ",v1=" + hmac_sha256(secret, time + "." + std::string(body));
}

}  // namespace reveal::alert
