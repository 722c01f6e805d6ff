// What proves that a text comes from somebody with the same key.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace reveal::base {

using HmacSha256 = std::array<unsigned char, 32>;

// Returns the HMAC-SHA256 of a text (RFC 2104); nothing if memory is refused.
std::optional<HmacSha256> hmac_sha256(std::string_view key, std::string_view text);

}  // namespace reveal::base
