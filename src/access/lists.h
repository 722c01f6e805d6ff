// The files of those who may ask, a line for each:
//
//   NAME:BCRYPT[:ROLE]   of users: what `htpasswd -B` and `mkpasswd -m bcrypt` print
//   NAME:SHA256[:ROLE]   of tokens: the SHA-256 of the token, in hexadecimal
//
// A role is viewer or operator; without one it is viewer. Blank lines and those that begin with #
// say nothing.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "access/who.h"
#include "base/result.h"

namespace reveal::access {

inline constexpr std::size_t kMostLines = 1000;  // that name somebody
// A password of the next cost takes more than a second of a core.
inline constexpr int kMostCost = 14;

using Digest = std::array<unsigned char, 32>;  // a SHA-256

struct User {
  Who who;
  std::string hash;  // of bcrypt
};

struct TokenHolder {
  Who who;
  Digest digest{};
};

// Read the text of a file; `where` names it. Fail with kUsage and the line, never with the secret,
// if a line is not of the form above, or a name is there twice.
base::Result<std::vector<User>> parse_users(std::string_view text, const std::string& where);
base::Result<std::vector<TokenHolder>> parse_tokens(std::string_view text,
                                                    const std::string& where);

// Returns the text of a file that not everybody may read. Fails with kPermission if others than
// owner and group may do anything with it, and if it cannot be read.
base::Result<std::string> read_private(const std::filesystem::path& file, std::string_view what);

}  // namespace reveal::access
