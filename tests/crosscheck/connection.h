// TCP connections of this host with itself. Only tests include this.
#pragma once

#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/unique_fd.h"

namespace reveal::collect {

// Two ends of one TCP connection of this host with itself.
struct Connection {
  base::UniqueFd client;
  base::UniqueFd server;

  void send(std::size_t size) const {
    const std::string data(size, 'x');
    ASSERT_EQ(::send(client.get(), data.data(), size, MSG_NOSIGNAL), static_cast<ssize_t>(size));
  }
  // Sends so many bytes there and back. REQUIRES: they fit into the socket's buffers.
  void exchange(std::size_t size) const {
    send(size);
    std::string data(size, '\0');
    const auto all = static_cast<ssize_t>(size);
    ASSERT_EQ(::recv(server.get(), data.data(), size, MSG_WAITALL), all);
    ASSERT_EQ(::send(server.get(), data.data(), size, MSG_NOSIGNAL), all);
    ASSERT_EQ(::recv(client.get(), data.data(), size, MSG_WAITALL), all);
  }
  // Makes the server's end drop whatever arrives, as a lossy wire would.
  void lose(bool on) const {
    sock_filter nothing{BPF_RET | BPF_K, 0, 0, 0};
    sock_fprog program{1, &nothing};
    const int option = on ? SO_ATTACH_FILTER : SO_DETACH_FILTER;
    ASSERT_EQ(::setsockopt(server.get(), SOL_SOCKET, option, &program, sizeof(program)), 0);
  }
};

class Listener {
 public:
  explicit Listener(int family) : fd_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(&address_);
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&address_);
    address_.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET) v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (family == AF_INET6) v6->sin6_addr = in6addr_loopback;
    EXPECT_EQ(::bind(fd_.get(), address(), sizeof(address_)), 0);
    EXPECT_EQ(::listen(fd_.get(), 16), 0);
    socklen_t size = sizeof(address_);
    EXPECT_EQ(::getsockname(fd_.get(), address(), &size), 0);
  }
  Connection connect() {
    Connection out{base::UniqueFd(::socket(address_.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0)), {}};
    EXPECT_EQ(::connect(out.client.get(), address(), sizeof(address_)), 0);
    out.server.reset(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    EXPECT_TRUE(out.server.valid());
    return out;
  }

 private:
  sockaddr* address() { return reinterpret_cast<sockaddr*>(&address_); }
  base::UniqueFd fd_;
  sockaddr_storage address_{};
};

}  // namespace reveal::collect
