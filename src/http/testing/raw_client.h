// A client without manners, for tests: sends any bytes over TCP or a unix socket, in any pieces.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/unique_fd.h"
#include "http/listen_address.h"
#include "http/socket_client.h"
#include "http/unix_address.h"

namespace reveal::http {

class RawClient {
 public:
  // Connects to an address as a server tells it. The client is not connected if that fails.
  explicit RawClient(const std::string& address) {
    const auto parsed = parse_listen_address(address);
    if (!parsed) return;
    if (parsed->socket_path.empty()) {
      connect_tcp(*parsed);
    } else {
      fd_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
      const UnixAddress to(parsed->socket_path);
      if (::connect(fd_.get(), to.generic(), to.size()) != 0) fd_.reset();
    }
    // So that a server that never answers, or never reads, fails the test instead of hanging it.
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    for (const int what : {SO_RCVTIMEO, SO_SNDTIMEO}) {
      if (fd_.valid()) setsockopt(fd_.get(), SOL_SOCKET, what, &patience, sizeof(patience));
    }
  }

  int fd() const { return fd_.get(); }
  bool is_connected() const { return fd_.valid(); }

  // Sends what the server takes. Returns whether that was all.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  void send_no_more() const { ::shutdown(fd_.get(), SHUT_WR); }

  // Returns all until the server closes the connection.
  std::string rest() const {
    std::string out;
    while (receive(out)) {
    }
    return out;
  }

  // Returns what comes until it has this text; what came if it never has.
  std::string until(std::string_view text) const {
    std::string out;
    while (out.find(text) == std::string::npos && receive(out)) {
    }
    return out;
  }

  // Returns one answer on a connection that stays open, head and body; what came if it is not
  // whole.
  std::string one_answer() const {
    std::string out;
    for (;;) {
      const auto answer = parse_answer(out, false);
      if (answer && *answer) return out;
      if (!receive(out)) return out;
    }
  }

 private:
  void connect_tcp(const ListenAddress& address) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(address.port);
    inet_pton(AF_INET, address.ip.c_str(), &to.sin_addr);
    fd_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) fd_.reset();
  }

  bool receive(std::string& out) const {
    std::array<char, 4096> bytes{};
    const auto count = ::recv(fd_.get(), bytes.data(), bytes.size(), 0);
    if (count > 0) out.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  base::UniqueFd fd_;
};

}  // namespace reveal::http
