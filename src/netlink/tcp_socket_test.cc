// Offsets are those of the kernel's struct tcp_info, counted by hand from include/uapi/linux/tcp.h:
// eight bytes, then numbers of four: retrans is the 8th of them, rtt the 16th, cwnd the 19th.
#include "netlink/tcp_socket.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "netlink/message_bytes.h"

namespace reveal::netlink {
namespace {

using ::testing::Optional;

constexpr std::uint16_t kInfo = 2;  // INET_DIAG_INFO

// The answer about one socket: inet_diag_msg of 72 bytes, then its attributes.
MessageBytes answer(const MessageBytes& info) {
  MessageBytes out;
  out.u16(0x0102).u16(0);                      // family 2, state 1, timer, retrans
  out.u32(0).zeros(32);                        // ports, addresses
  out.u32(0).u32(0xAA).u32(0xBB);              // interface, cookie
  out.u32(0).u32(111).u32(222).u32(0).u32(0);  // expires, rqueue, wqueue, uid, inode
  EXPECT_EQ(out.size(), 72u);
  return out.attribute(kInfo, info);
}

MessageBytes info_of_linux_2_6() {
  MessageBytes out;
  out.zeros(8);
  for (std::uint64_t i = 1; i <= 24; ++i) out.u32(100 + i);
  return out;
}

TEST(TcpSocket, FieldsOfAnOldKernelAndNoMore) {
  const auto bytes = answer(info_of_linux_2_6());
  const auto socket = parse_tcp_socket(bytes.bytes());
  ASSERT_TRUE(socket);
  EXPECT_EQ(socket->state, kTcpEstablished);
  EXPECT_EQ(socket->cookie, 0xBB000000AAu);
  EXPECT_EQ(socket->receive_queue, 111u);
  EXPECT_EQ(socket->send_queue, 222u);
  EXPECT_THAT(socket->unacknowledged, Optional(105u));
  EXPECT_THAT(socket->lost, Optional(107u));
  EXPECT_THAT(socket->retransmitting, Optional(108u));
  EXPECT_THAT(socket->rtt_us, Optional(116u));
  EXPECT_THAT(socket->rtt_deviation_us, Optional(117u));
  EXPECT_THAT(socket->window, Optional(119u));
  EXPECT_THAT(socket->reordering, Optional(121u));
  EXPECT_EQ(socket->not_sent, std::nullopt);
  EXPECT_EQ(socket->retransmitted_bytes, std::nullopt);
}

// Behind the 24 numbers of four bytes: four of eight, six of four (not sent is the third of them,
// the least round trip the fourth), then numbers of eight: delivery rate, busy, and the two limits;
// two of four; bytes sent and bytes sent again.
TEST(TcpSocket, FieldsOfANewKernel) {
  auto info = info_of_linux_2_6();
  for (int i = 0; i < 4; ++i) info.u64(0);
  info.u32(0).u32(0).u32(31).u32(32).u32(0).u32(0);
  info.u64(41).u64(0).u64(43).u64(44).u32(0).u32(0).u64(0).u64(46);
  info.zeros(64);  // what kernels to come will add
  const auto bytes = answer(info);
  const auto socket = parse_tcp_socket(bytes.bytes());
  ASSERT_TRUE(socket);
  EXPECT_THAT(socket->not_sent, Optional(31u));
  EXPECT_THAT(socket->min_rtt_us, Optional(32u));
  EXPECT_THAT(socket->delivery_rate, Optional(41u));
  EXPECT_THAT(socket->receive_window_limited_us, Optional(43u));
  EXPECT_THAT(socket->send_buffer_limited_us, Optional(44u));
  EXPECT_THAT(socket->retransmitted_bytes, Optional(46u));
}

TEST(TcpSocket, WhatWasNeverMeasuredIsMissing) {
  MessageBytes info;
  info.zeros(8 + 24 * 4 + 4 * 8).u32(0).u32(0).u32(0).u32(0xFFFFFFFF);
  const auto bytes = answer(info);
  const auto socket = parse_tcp_socket(bytes.bytes());
  ASSERT_TRUE(socket);
  EXPECT_EQ(socket->rtt_us, std::nullopt);
  EXPECT_EQ(socket->rtt_deviation_us, std::nullopt);
  EXPECT_EQ(socket->min_rtt_us, std::nullopt);
}

TEST(TcpSocket, CutAnswersInventNothing) {
  const auto bytes = answer(info_of_linux_2_6());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto socket = parse_tcp_socket(bytes.bytes().first(size));
    ASSERT_EQ(socket.has_value(), size == 72) << size;
    if (socket) {
      EXPECT_EQ(socket->rtt_us, std::nullopt);
    }
  }
}

TEST(TcpSocket, RequestAsksForInfoOfSocketsWithAConnection) {
  const auto request = tcp_sockets_request();
  EXPECT_EQ(load<std::uint8_t>(request, 0), 2);          // AF_INET
  EXPECT_EQ(load<std::uint8_t>(request, 3), 2);          // bit of INET_DIAG_INFO
  EXPECT_EQ(load<std::uint32_t>(request, 52), 0x1B3EU);  // bits 1 to 5, 8, 9, 11, 12
}

// In both structures the 48 bytes of the identity are those before the last ones counted here:
// of the answer bytes 4 to 51, of the question bytes 8 to 55.
TEST(TcpSocket, OneSocketIsAskedForByWhatTheKernelSaidOfIt) {
  const auto bytes = answer(info_of_linux_2_6());
  const auto socket = parse_tcp_socket(bytes.bytes());
  ASSERT_TRUE(socket);
  const auto request = tcp_socket_request(socket->key);
  EXPECT_EQ(load<std::uint8_t>(request, 0), 2);  // AF_INET
  EXPECT_EQ(load<std::uint8_t>(request, 1), 6);  // IPPROTO_TCP
  EXPECT_EQ(load<std::uint8_t>(request, 2), 2);  // bit of INET_DIAG_INFO
  const auto identity = bytes.bytes().subspan(4, 48);
  EXPECT_TRUE(std::equal(identity.begin(), identity.end(), request.begin() + 8));
}

}  // namespace
}  // namespace reveal::netlink
