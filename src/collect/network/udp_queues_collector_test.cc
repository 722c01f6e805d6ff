#include <string>

#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

constexpr const char* kHead = "  sl  local_address rem_address   st tx_queue rx_queue tr\n";

std::string socket(const std::string& queues) {
  return "  7: 00000000:0044 00000000:0000 07 " + queues + " 00:00000000\n";
}

TEST(UdpQueues, AddsUpBothFamilies) {
  TestHost host(*find_collector("udp_queues"));
  host.write("proc/net/udp", kHead + socket("00000001:00000010") + socket("00000000:00000100"));
  host.write("proc/net/udp6", kHead + socket("00000002:00001000"));
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_udp_receive_queue_bytes"), 0x1110);
  EXPECT_EQ(host.value("network_udp_receive_queue_longest_bytes"), 0x1000);
  EXPECT_EQ(host.value("network_udp_send_queue_bytes"), 3);
}

TEST(UdpQueues, AFamilyThatIsOffIsNoError) {
  TestHost host(*find_collector("udp_queues"));
  host.write("proc/net/udp", kHead);
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_udp_receive_queue_bytes"), 0);
}

TEST(UdpQueues, ABrokenFamilyLeavesTheSumsOut) {
  TestHost host(*find_collector("udp_queues"));
  host.write("proc/net/udp", kHead + socket("00000001:00000010"));
  ASSERT_TRUE(host.open());
  host.write("proc/net/udp6", std::string(kHead) + "  7: 0 0 07 x\n");
  host.tick();
  EXPECT_FALSE(host.value("network_udp_receive_queue_bytes"));
}

}  // namespace
}  // namespace reveal::collect
