#include "access/lists.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/whole_file.h"
#include "text/character.h"
#include "text/parse_number.h"

namespace reveal::access {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kMostFileBytes = std::size_t{1} << 20;
constexpr std::size_t kBcryptBytes = 60;
constexpr std::size_t kCostPlace = 4;  // of the two digits in "$2b$05$..."

// One line, without what its secret means.
struct Line {
  std::size_t number = 0;
  Who who;
  std::string_view secret;
};

base::Unexpected at(const std::string& where, std::size_t number, std::string what,
                    std::string remedy = {}) {
  return base::fail(ErrorKind::kUsage, std::move(what), fmt::format("{}, line {}", where, number),
                    std::move(remedy));
}

std::string_view next_part(std::string_view& rest, char mark) {
  const auto end = rest.find(mark);
  const auto part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

std::optional<Role> role_of(std::string_view word) {
  if (word.empty() || word == "viewer") return Role::kViewer;
  if (word == "operator") return Role::kOperator;
  return {};
}

bool is_name(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), text::is_control);
}

// Returns the lines that name somebody. `form` is how one is written.
Result<std::vector<Line>> lines_of(std::string_view text, const std::string& where,
                                   const char* form) {
  std::vector<Line> out;
  std::set<std::string_view> names;
  for (std::size_t number = 1; !text.empty(); ++number) {
    auto line = next_part(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    auto rest = text::trimmed(line);
    if (rest.empty() || rest.front() == '#') continue;
    const auto name = next_part(rest, ':');
    const auto secret = next_part(rest, ':');
    const auto role = role_of(rest);
    if (!is_name(name) || secret.empty())
      return at(where, number, "this line is not " + std::string(form));
    if (!role) return at(where, number, "the role is neither viewer nor operator");
    if (!names.insert(name).second)
      return at(where, number, fmt::format("{} was named before", name));
    if (out.size() == kMostLines) return at(where, number, "more than 1000 lines");
    out.push_back({.number = number, .who = {std::string(name), *role}, .secret = secret});
  }
  return out;
}

// Source: crypt(5), bcrypt; without $2x$, which stands for a faulty implementation.
bool is_bcrypt(std::string_view hash) {
  if (hash.size() != kBcryptBytes) return false;
  const auto beginning = hash.substr(0, kCostPlace);
  if (beginning != "$2a$" && beginning != "$2b$" && beginning != "$2y$") return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!is_digit(hash[4]) || !is_digit(hash[5]) || hash[6] != '$') return false;
  return hash.find_first_not_of("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                                7) == std::string_view::npos;
}

// REQUIRES: is_bcrypt().
int cost_of(std::string_view hash) {
  return (hash[kCostPlace] - '0') * 10 + (hash[kCostPlace + 1] - '0');
}

std::optional<Digest> parse_digest(std::string_view text) {
  Digest out{};
  if (text.size() != 2 * out.size()) return {};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto high = text::hex_digit(text[2 * i]);
    const auto low = text::hex_digit(text[2 * i + 1]);
    if (!high || !low) return {};
    out[i] = static_cast<unsigned char>(*high * 16 + *low);
  }
  return out;
}

}  // namespace

Result<std::vector<User>> parse_users(std::string_view text, const std::string& where) {
  const auto lines = lines_of(text, where, "NAME:BCRYPT or NAME:BCRYPT:ROLE");
  if (!lines) return base::pass(lines);
  std::vector<User> out;
  out.reserve(lines->size());
  for (const auto& line : *lines) {
    if (!is_bcrypt(line.secret)) {
      return at(where, line.number, "the password is not hashed by bcrypt",
                "make the line with htpasswd -nB NAME, or the hash with mkpasswd -m bcrypt");
    }
    const int cost = cost_of(line.secret);
    if (cost < 4 || cost > kMostCost) {
      return at(where, line.number,
                fmt::format("bcrypt's cost is {}, and must be from 4 to {}", cost, kMostCost));
    }
    out.push_back({.who = line.who, .hash = std::string(line.secret)});
  }
  return out;
}

Result<std::vector<TokenHolder>> parse_tokens(std::string_view text, const std::string& where) {
  const auto lines = lines_of(text, where, "NAME:SHA256 or NAME:SHA256:ROLE");
  if (!lines) return base::pass(lines);
  std::vector<TokenHolder> out;
  out.reserve(lines->size());
  for (const auto& line : *lines) {
    const auto digest = parse_digest(line.secret);
    if (!digest) {
      return at(where, line.number, "the token's SHA-256 is not 64 hexadecimal digits",
                "make it with: printf %s TOKEN | sha256sum");
    }
    out.push_back({.who = line.who, .digest = *digest});
  }
  return out;
}

Result<std::string> read_private(const std::filesystem::path& file, std::string_view what) {
  auto text = base::read_whole_file(file, what, kMostFileBytes);
  if (!text) return text;
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0 || (found.st_mode & S_IRWXO) == 0) return text;
  return base::fail(ErrorKind::kPermission, fmt::format("everybody can use the {}", what),
                    file.string(), "chmod o-rwx");
}

}  // namespace reveal::access
