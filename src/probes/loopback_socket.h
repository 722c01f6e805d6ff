// A UDP socket on the loopback interface: programs of this host alone can send to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::probes {

// An address as people write it: "127.0.0.1:8125", "[::1]:8125".
struct LoopbackAddress {
  std::string host;
  std::uint16_t port = 0;
  bool is_v6 = false;
};

// Fails with kUsage if it is not an address of the loopback interface with a port above 0.
base::Result<LoopbackAddress> loopback_address(std::string_view text);

class LoopbackSocket {
 public:
  // Fails if another program has the port, or this one may not have it.
  static base::Result<LoopbackSocket> open(const LoopbackAddress& address);

  // The largest datagram that loopback carries.
  static constexpr std::size_t kLongest = 65536;

  // Returns the next datagram, or nothing if there is none now. Never waits. `buffer` has kLongest
  // bytes, and the text lies in it.
  std::optional<std::string_view> next(char* buffer);

  // Returns how many datagrams the kernel has dropped because nobody took them in time, as of the
  // last that was taken.
  std::uint32_t dropped() const { return dropped_; }

 private:
  explicit LoopbackSocket(base::UniqueFd socket) : socket_(std::move(socket)) {}

  base::UniqueFd socket_;
  std::uint32_t dropped_ = 0;
};

}  // namespace reveal::probes
