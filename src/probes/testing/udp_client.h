// A program that sends datagrams to a port of the loopback interface. Only tests include this.
#pragma once

#include <cstdint>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/unique_fd.h"

namespace reveal::probes {

// Returns a port that nobody has now.
inline std::uint16_t free_port() {
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

class UdpClient {
 public:
  explicit UdpClient(std::uint16_t port)
      : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }

  // On loopback a datagram has arrived, or was dropped, when this returns.
  bool send(std::string_view text) const {
    return ::send(socket_.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  }

 private:
  base::UniqueFd socket_;
};

}  // namespace reveal::probes
