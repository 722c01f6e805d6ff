#include "netlink/tcp_socket.h"

#include <bit>
#include <cstddef>
#include <limits>

#include <linux/inet_diag.h>
#include <linux/tcp.h>
#include <sys/socket.h>

namespace reveal::netlink {
namespace {

constexpr std::uint32_t state_bit(std::uint8_t state) {
  return std::uint32_t{1} << state;
}

// Sockets that are not yet connected are in a state of their own inside the kernel.
constexpr std::uint8_t kTcpNewSynReceived = 12;

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
  request.idiag_states = state_bit(kTcpEstablished) | state_bit(kTcpCloseWait) |
                         state_bit(kTcpSynReceived) | state_bit(kTcpNewSynReceived);
  return std::bit_cast<std::array<std::byte, 60>>(request);
}

}  // namespace reveal::netlink
