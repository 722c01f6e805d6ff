// Where a receiver listens: http://HOST[:PORT][/PATH] or https://. No user name or password in it,
// as it is shown in logs and stored in configurations; those belong into a file (token_file).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::alert {

struct Url {
  bool tls = false;
  std::string host;  // without the brackets of an IPv6 address
  std::uint16_t port = 0;
  std::string authority;  // as written: what the Host header says
  std::string target;     // path and query, at least "/"

  // Returns scheme, host and port alone: a path may hold a secret (those of chat services do).
  std::string shown() const;
};

// Returns the parts of such an address. Fails with kUsage, `text` not being in the error.
base::Result<Url> parse_url(std::string_view text);

}  // namespace reveal::alert
