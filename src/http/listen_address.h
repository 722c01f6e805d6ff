// Where a server listens, as people write it: "127.0.0.1:7383", "[::1]:7383", "localhost:7383" or
// "unix:/run/reveal/reveal.sock".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::http {

struct ListenAddress {
  std::string socket_path = {};  // of the unix socket; empty: TCP
  std::string ip = {};           // an address, without brackets
  std::uint16_t port = 0;        // 0: any that is free

  // Returns it as people write it.
  std::string text() const;
};

// Returns the address. A name other than localhost is refused: what it means is known only when it
// is used, and may change. Fails with kUsage.
base::Result<ListenAddress> parse_listen_address(std::string_view text);

// What stands between an address and other hosts.
struct Protection {
  bool encrypts = false;  // all that is said
  bool asks = false;      // everybody who they are
};

// Fails with kUsage if other hosts could reach the address without such protection.
base::Result<void> check_reach(const ListenAddress& address, const Protection& protection);

}  // namespace reveal::http
