// The 64-bit FNV-1a hash of bytes: quick, and the same on all hosts and in all versions. It tells
// texts apart that came about by chance, not those of somebody who wants two with the same hash.
//
// Source: RFC 9923.
#pragma once

#include <cstdint>
#include <string_view>

namespace reveal::base {

inline constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325U;

// Returns the hash of what has the hash `so_far`, followed by `text`.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t so_far = kFnvBasis) {
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  for (const char byte : text) so_far = (so_far ^ static_cast<unsigned char>(byte)) * kPrime;
  return so_far;
}

}  // namespace reveal::base
