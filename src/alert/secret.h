// Secrets in files, and what they sign. A secret is read when it is needed, so that it can be
// changed without a restart, and it is in no error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::alert {

// Returns the one line that the file holds. Fails if it cannot be read, is empty, or has more than
// one line or another control character: none of these can be in a header.
base::Result<std::string> read_secret(const std::filesystem::path& file);

// Returns the HMAC-SHA256 (RFC 2104) of `text` as 64 hexadecimal digits; empty if there is no
// memory.
std::string hmac_sha256(std::string_view secret, std::string_view text);

// Returns the value of X-Reveal-Signature, "t=UNIX,v1=HEX": HEX signs "UNIX.BODY". The receiver
// computes the same, and refuses a time that is minutes old, so nobody can send it again later.
std::string signature(std::string_view secret, std::int64_t unix_s, std::string_view body);

}  // namespace reveal::alert
