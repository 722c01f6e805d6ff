// Digests and hashed passwords. Comparisons take the same time wherever two secrets differ.
#pragma once

#include <string>
#include <string_view>

#include "access/lists.h"

namespace reveal::access {

// Returns the SHA-256 of a text. If memory is refused it is all zero, and so no token's.
Digest sha256(std::string_view text);

bool is_same(const Digest& a, const Digest& b);

// Returns whether a password has that hash of bcrypt, of which it counts up to 72 bytes. It takes
// as long as the hash's cost says, 5 ms to a second. Source: crypt(3), crypt(5).
bool has_hash(const std::string& password, const std::string& hash);

// Makes digests that nobody else can make: with a random key of its own.
class Sealer {
 public:
  Sealer();
  // Returns the HMAC-SHA256 of a name and a password. It is empty if memory is refused, or if the
  // system gave no key.
  std::string seal(std::string_view name, std::string_view password) const;

 private:
  Digest key_{};
  bool has_key_ = false;
};

}  // namespace reveal::access
