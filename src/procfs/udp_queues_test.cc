#include "procfs/udp_queues.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

constexpr std::string_view kText =
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode ref pointer drops             \n"
    "  451: 00000000:0044 00000000:0000 07 00000010:00000300 00:00000000 00000000     0        0 "
    "24601 2 0000000000000000 0         \n"
    " 1023: 3500007F:0035 00000000:0000 07 00000001:00034000 00:00000000 00000000   102        0 "
    "24602 2 0000000000000000 17        \n";

TEST(UdpQueues, AddsUpSockets) {
  UdpQueues queues;
  ASSERT_TRUE(add_udp_queues(kText, queues));
  EXPECT_EQ(queues.sockets, 2u);
  EXPECT_EQ(queues.send_bytes, 0x11u);
  EXPECT_EQ(queues.receive_bytes, 0x34300u);
  EXPECT_EQ(queues.longest_receive_bytes, 0x34000u);
  ASSERT_TRUE(add_udp_queues(kText, queues));
  EXPECT_EQ(queues.sockets, 4u);
}

// The kernel prints a difference of two numbers, read one after the other, as if it were unsigned.
TEST(UdpQueues, AQueueBelowZeroIsEmpty) {
  std::string text(kText);
  text.replace(text.find("00034000"), 8, "FFFFFD00");
  UdpQueues queues;
  ASSERT_TRUE(add_udp_queues(text, queues));
  EXPECT_EQ(queues.receive_bytes, 0x300u);
  EXPECT_EQ(queues.longest_receive_bytes, 0x300u);
}

TEST(UdpQueues, NoSocketIsNoBytes) {
  UdpQueues queues;
  EXPECT_TRUE(add_udp_queues(kText.substr(0, kText.find('\n') + 1), queues));
  EXPECT_EQ(queues.sockets, 0u);
}

TEST(UdpQueues, WhatIsCutOrRubbishIsToldSo) {
  UdpQueues queues;
  EXPECT_FALSE(add_udp_queues("", queues));
  EXPECT_FALSE(add_udp_queues(kText.substr(0, kText.size() - 1), queues));
  EXPECT_FALSE(add_udp_queues("N/A\n", queues));
  const std::string head(kText.substr(0, kText.find('\n') + 1));
  for (const char* line :
       {"1: a b 07\n", "1: a b 07 00000001 x\n", "1: a b 07 00000001:0000000g x\n",
        "1: a b 07 :00000001 x\n", "1: a b 07 100000000:00000001 x\n"}) {
    EXPECT_FALSE(add_udp_queues(head + line, queues)) << line;
  }
}

const ParserCase kFuzzed("proc/net/udp", [](std::string_view text) {
  UdpQueues queues;
  add_udp_queues(text, queues);
  require(queues.longest_receive_bytes <= queues.receive_bytes);
  require(queues.sockets <= text.size());
});

}  // namespace
}  // namespace reveal::procfs
