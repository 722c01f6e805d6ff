// Credentials: a file with a user's JWT and the seed of its nkey, as NATS' tools write it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reveal::bus {

inline constexpr std::size_t kMostCredentialBytes = std::size_t{1} << 20;

// Returns the public nkey of the user whose JWT is in `text`: its claim "sub". Empty if there is no
// JWT, or it names no key. Nothing is verified: that is the broker's.
std::string subject_of_credentials(std::string_view text);

}  // namespace reveal::bus
