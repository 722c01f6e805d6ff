// Expected quantiles are counted out by hand: the smallest value that the share does not exceed.
#include "netlink/tcp_summary.h"

#include <gmock/gmock.h>

namespace reveal::netlink {
namespace {

using ::testing::Optional;

TcpSocket socket_of(std::uint64_t cookie, std::uint32_t rtt_us, std::uint64_t retransmitted) {
  TcpSocket out;
  out.state = kTcpEstablished;
  out.cookie = cookie;
  out.rtt_us = rtt_us;
  out.lost = 1;
  out.receive_queue = rtt_us;
  out.retransmitted_bytes = retransmitted;
  return out;
}

// One reading of these sockets.
void read(TcpSummary& summary, const std::vector<TcpSocket>& sockets, bool complete = true) {
  summary.begin();
  for (const auto& socket : sockets) summary.add(socket);
  summary.end(complete);
}

TEST(Ranked, QuantilesByNearestRank) {
  Ranked ranked(200);
  EXPECT_EQ(ranked.quantile(0.5), std::nullopt);
  EXPECT_EQ(ranked.sum(), std::nullopt);
  ranked.add(7);
  EXPECT_THAT(ranked.quantile(0.0), Optional(7u));
  EXPECT_THAT(ranked.quantile(0.99), Optional(7u));
  ranked.clear();
  for (std::uint64_t i = 100; i > 0; --i) ranked.add(i);
  ranked.add(std::nullopt);
  EXPECT_THAT(ranked.quantile(0.5), Optional(50u));
  EXPECT_THAT(ranked.quantile(0.99), Optional(99u));
  EXPECT_THAT(ranked.quantile(1.0), Optional(100u));
  EXPECT_THAT(ranked.sum(), Optional(5050u));
}

TEST(TcpSummary, NothingIsNothing) {
  TcpSummary summary(10);
  read(summary, {});
  EXPECT_EQ(summary.sockets(), 0u);
  EXPECT_EQ(summary.count(kTcpEstablished), 0u);
  EXPECT_EQ(summary.rtt_us.quantile(0.5), std::nullopt);
  EXPECT_EQ(summary.retransmitted_bytes, std::nullopt);
}

TEST(TcpSummary, CountsSumsAndLongest) {
  TcpSummary summary(10);
  TcpSocket opening;
  opening.state = kTcpSynReceived;
  opening.receive_queue = 999;  // of a socket not yet connected: means something else
  read(summary, {socket_of(1, 10, 0), socket_of(2, 30, 0), socket_of(3, 20, 0), opening});
  EXPECT_EQ(summary.sockets(), 4u);
  EXPECT_EQ(summary.count(kTcpEstablished), 3u);
  EXPECT_EQ(summary.count(kTcpSynReceived), 1u);
  EXPECT_THAT(summary.rtt_us.quantile(0.5), Optional(20u));
  EXPECT_THAT(summary.lost.sum(), Optional(3u));
  EXPECT_EQ(summary.longest_receive_queue, 30u);
}

TEST(TcpSummary, GrowthIsFollowedSocketBySocket) {
  TcpSummary summary(10);
  read(summary, {socket_of(1, 1, 1000), socket_of(2, 1, 50)});
  EXPECT_THAT(summary.retransmitted_bytes, Optional(0u));  // what was before is not growth
  read(summary, {socket_of(2, 1, 60), socket_of(1, 1, 1000)});
  EXPECT_THAT(summary.retransmitted_bytes, Optional(10u));
  read(summary, {socket_of(2, 1, 61)});  // socket 1 has closed: nothing falls
  EXPECT_THAT(summary.retransmitted_bytes, Optional(11u));
  read(summary, {socket_of(2, 1, 61), socket_of(3, 1, 5)});  // a new one counts from its start
  EXPECT_THAT(summary.retransmitted_bytes, Optional(16u));
}

TEST(TcpSummary, SocketOutsideASampleIsNotNew) {
  TcpSummary summary(10);
  read(summary, {socket_of(1, 1, 0)}, false);
  read(summary, {socket_of(9, 1, 7000)}, false);
  EXPECT_THAT(summary.retransmitted_bytes, Optional(0u));
  EXPECT_FALSE(summary.complete());
  read(summary, {socket_of(9, 1, 7001)}, true);
  EXPECT_THAT(summary.retransmitted_bytes, Optional(1u));
  EXPECT_TRUE(summary.complete());
}

TEST(TcpSummary, TakesNoMoreThanItsLimit) {
  TcpSummary summary(2);
  read(summary, {socket_of(1, 1, 0), socket_of(2, 2, 0), socket_of(3, 3, 0)}, false);
  EXPECT_EQ(summary.sockets(), 2u);
  EXPECT_THAT(summary.rtt_us.quantile(1.0), Optional(2u));
}

}  // namespace
}  // namespace reveal::netlink
