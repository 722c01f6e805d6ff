#include "netlink/tcp_socket.h"

#include <bit>
#include <cstddef>
#include <limits>

#include <linux/inet_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace reveal::netlink {
namespace {

constexpr std::uint32_t state_bit(std::uint8_t state) {
  return std::uint32_t{1} << state;
}

// From ESTABLISHED to the last, NEW_SYN_RECV, which sockets not yet connected have in the kernel.
constexpr std::uint32_t kAllStates = 0x1FFE;
constexpr std::uint8_t kTcpTimeWait = 6;
constexpr std::uint8_t kTcpClose = 7;
constexpr std::uint8_t kTcpListen = 10;

constexpr std::uint32_t kNeverMeasured = std::numeric_limits<std::uint32_t>::max();

template <typename T>
std::optional<T> unless(std::optional<T> value, T absent) {
  return value == absent ? std::nullopt : value;
}

void read_tcp_info(Bytes info, TcpSocket& out) {
  const auto u32 = [&](std::size_t offset) { return load<std::uint32_t>(info, offset); };
  const auto u64 = [&](std::size_t offset) { return load<std::uint64_t>(info, offset); };
  out.rtt_us = unless(u32(offsetof(tcp_info, tcpi_rtt)), 0U);
  out.rtt_deviation_us = u32(offsetof(tcp_info, tcpi_rttvar));
  if (!out.rtt_us) out.rtt_deviation_us.reset();
  out.min_rtt_us = unless(unless(u32(offsetof(tcp_info, tcpi_min_rtt)), kNeverMeasured), 0U);
  out.window = u32(offsetof(tcp_info, tcpi_snd_cwnd));
  out.retransmitting = u32(offsetof(tcp_info, tcpi_retrans));
  out.lost = u32(offsetof(tcp_info, tcpi_lost));
  out.unacknowledged = u32(offsetof(tcp_info, tcpi_unacked));
  out.reordering = u32(offsetof(tcp_info, tcpi_reordering));
  out.not_sent = u32(offsetof(tcp_info, tcpi_notsent_bytes));
  out.delivery_rate = u64(offsetof(tcp_info, tcpi_delivery_rate));
  out.receive_window_limited_us = u64(offsetof(tcp_info, tcpi_rwnd_limited));
  out.send_buffer_limited_us = u64(offsetof(tcp_info, tcpi_sndbuf_limited));
  out.retransmitted_bytes = u64(offsetof(tcp_info, tcpi_bytes_retrans));
}

}  // namespace

std::optional<TcpSocket> parse_tcp_socket(Bytes payload) {
  const auto header = load<inet_diag_msg>(payload);
  if (!header) return std::nullopt;
  TcpSocket out;
  out.state = header->idiag_state;
  out.key.family = header->idiag_family;
  out.key.id = std::bit_cast<decltype(out.key.id)>(header->id);
  out.cookie = std::uint64_t{header->id.idiag_cookie[1]} << 32 | header->id.idiag_cookie[0];
  out.receive_queue = header->idiag_rqueue;
  out.send_queue = header->idiag_wqueue;
  AttributeCursor attributes(payload, sizeof(inet_diag_msg));
  for (Attribute attribute; attributes.next(attribute);) {
    if (attribute.type == INET_DIAG_INFO) read_tcp_info(attribute.payload, out);
  }
  if (attributes.broken()) return std::nullopt;
  return out;
}

std::array<std::byte, 60> tcp_sockets_request() {
  inet_diag_req request{};
  request.idiag_family = AF_INET;  // is not looked at
  request.idiag_ext = 1 << (INET_DIAG_INFO - 1);
  request.idiag_states =
      kAllStates & ~(state_bit(kTcpTimeWait) | state_bit(kTcpClose) | state_bit(kTcpListen));
  return std::bit_cast<std::array<std::byte, 60>>(request);
}

std::array<std::byte, 56> tcp_socket_request(const TcpKey& key) {
  inet_diag_req_v2 request{};
  request.sdiag_family = key.family;
  request.sdiag_protocol = IPPROTO_TCP;
  request.idiag_ext = 1 << (INET_DIAG_INFO - 1);
  request.idiag_states = std::numeric_limits<std::uint32_t>::max();
  request.id = std::bit_cast<inet_diag_sockid>(key.id);
  return std::bit_cast<std::array<std::byte, 56>>(request);
}

}  // namespace reveal::netlink
