#include "probes/loopback_socket.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "text/parse_number.h"

namespace reveal::probes {
namespace {

// What is sent between two readings must fit; the kernel gives what net.core.rmem_max allows.
constexpr int kBufferBytes = 4 << 20;

union AnyAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

base::Unexpected not_loopback(std::string_view text) {
  return base::fail(base::ErrorKind::kUsage,
                    "must be an address of the loopback interface with a port, such as "
                    "127.0.0.1:8125 or [::1]:8125",
                    std::string(text));
}

AnyAddress to_kernel(const LoopbackAddress& address) {
  AnyAddress out{};
  if (address.is_v6) {
    out.v6.sin6_family = AF_INET6;
    out.v6.sin6_port = htons(address.port);
    ::inet_pton(AF_INET6, address.host.c_str(), &out.v6.sin6_addr);
  } else {
    out.v4.sin_family = AF_INET;
    out.v4.sin_port = htons(address.port);
    ::inet_pton(AF_INET, address.host.c_str(), &out.v4.sin_addr);
  }
  return out;
}

bool is_loopback(const LoopbackAddress& address) {
  if (address.is_v6) {
    in6_addr parsed{};
    return ::inet_pton(AF_INET6, address.host.c_str(), &parsed) == 1 &&
           std::memcmp(&parsed, &in6addr_loopback, sizeof parsed) == 0;
  }
  in_addr parsed{};
  return ::inet_pton(AF_INET, address.host.c_str(), &parsed) == 1 &&
         (ntohl(parsed.s_addr) >> 24) == 127;
}

}  // namespace

base::Result<LoopbackAddress> loopback_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return not_loopback(text);
  auto host = text.substr(0, colon);
  LoopbackAddress out;
  out.is_v6 = host.starts_with('[') && host.ends_with(']');
  if (out.is_v6) host = host.substr(1, host.size() - 2);
  out.host = host;
  const auto port = text::parse_u64(text.substr(colon + 1));
  if (!port || *port == 0 || *port > 65535) return not_loopback(text);
  out.port = static_cast<std::uint16_t>(*port);
  if (!is_loopback(out)) return not_loopback(text);
  return out;
}

base::Result<LoopbackSocket> LoopbackSocket::open(const LoopbackAddress& address) {
  const int family = address.is_v6 ? AF_INET6 : AF_INET;
  base::UniqueFd socket(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto place = fmt::format("UDP port {} of {}", address.port, address.host);
  if (!socket.valid()) return base::fail_errno(errno, "cannot make a socket", place);
  const int bytes = kBufferBytes;
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RXQ_OVFL, &yes, sizeof yes);
  const auto kernel = to_kernel(address);
  const socklen_t size = address.is_v6 ? sizeof kernel.v6 : sizeof kernel.v4;
  if (::bind(socket.get(), &kernel.any, size) != 0) {
    return base::fail_errno(errno, "cannot listen for StatsD's samples", place,
                            "stop the program that has it, or change statsd in [probes] of "
                            "reveal.toml");
  }
  return LoopbackSocket(std::move(socket));
}

std::optional<std::string_view> LoopbackSocket::next(char* buffer) {
  iovec place{buffer, kLongest};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(std::uint32_t))> control{};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const auto count = ::recvmsg(socket_.get(), &message, MSG_DONTWAIT);
  if (count < 0) return std::nullopt;
  const auto* extra = CMSG_FIRSTHDR(&message);
  if (extra != nullptr && extra->cmsg_level == SOL_SOCKET && extra->cmsg_type == SO_RXQ_OVFL) {
    std::memcpy(&dropped_, CMSG_DATA(extra), sizeof dropped_);
  }
  return std::string_view(buffer, static_cast<std::size_t>(count));
}

}  // namespace reveal::probes
