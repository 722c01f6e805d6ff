// One TCP socket as the kernel describes it (sock_diag, inet_diag): its queues and, from struct
// tcp_info, the state of its transfer. struct tcp_info has grown with nearly every release; a field
// that the answer does not reach is missing, not zero.
// https://man7.org/linux/man-pages/man7/sock_diag.7.html
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "netlink/message.h"

namespace reveal::netlink {

// Numbers of enum tcp_state as user space has them.
inline constexpr std::uint8_t kTcpEstablished = 1;
inline constexpr std::uint8_t kTcpSynReceived = 3;
inline constexpr std::uint8_t kTcpCloseWait = 8;

// By what the kernel finds one socket without a walk over its table.
struct TcpKey {
  std::uint8_t family = 0;
  std::array<std::byte, 48> id{};  // struct inet_diag_sockid: ports, addresses, interface, cookie
};

struct TcpSocket {
  std::uint8_t state = 0;
  TcpKey key{};
  std::uint64_t cookie = 0;         // the socket's own number, never used again
  std::uint32_t receive_queue = 0;  // bytes that the program has not read
  std::uint32_t send_queue = 0;     // bytes that the peer has not acknowledged

  std::optional<std::uint32_t> rtt_us{};
  std::optional<std::uint32_t> rtt_deviation_us{};
  std::optional<std::uint32_t> min_rtt_us{};      // Linux 4.6; nothing until one was measured
  std::optional<std::uint32_t> window{};          // congestion window, segments
  std::optional<std::uint32_t> retransmitting{};  // segments sent again and not acknowledged
  std::optional<std::uint32_t> lost{};            // segments
  std::optional<std::uint32_t> unacknowledged{};  // segments
  std::optional<std::uint32_t> reordering{};      // segments
  std::optional<std::uint32_t> not_sent{};        // bytes, Linux 4.6
  std::optional<std::uint64_t> delivery_rate{};   // bytes per second, Linux 4.9
  std::optional<std::uint64_t> receive_window_limited_us{};  // Linux 4.10
  std::optional<std::uint64_t> send_buffer_limited_us{};     // Linux 4.10
  std::optional<std::uint64_t> retransmitted_bytes{};        // Linux 4.19
};

// Returns the socket of an answer's payload; nothing if it is cut or broken.
std::optional<TcpSocket> parse_tcp_socket(Bytes payload);

// The question for the TCP sockets of IPv4 and IPv6 that are opened, in use or closed: all but
// those that listen, wait after their end or have no connection. Returns the structure to send with
// TCPDIAG_GETSOCK: the kernel walks over its table of sockets once for both families. With
// SOCK_DIAG_BY_FAMILY it walks once for each, and a walk over an empty table takes 0.2 ms on a host
// of two cores.
std::array<std::byte, 60> tcp_sockets_request();

// The question for one socket, in whatever state it is. Returns the structure to send with
// SOCK_DIAG_BY_FAMILY (Linux 3.3). The kernel finds the socket by a hash, so this takes 2 us, and
// refuses if it is gone.
std::array<std::byte, 56> tcp_socket_request(const TcpKey& key);

}  // namespace reveal::netlink
