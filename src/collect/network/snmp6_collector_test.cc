#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Snmp6, KeysStandBeforeATab) {
  TestHost host(*find_collector("snmp6"));
  host.write("proc/net/snmp6",
             "Ip6InDiscards                   \t7\nUdp6RcvbufErrors                \t9\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_ip6_receive_discards_total"), 7);
  EXPECT_EQ(host.value("network_udp6_receive_buffer_errors_total"), 9);
}

}  // namespace
}  // namespace reveal::collect
