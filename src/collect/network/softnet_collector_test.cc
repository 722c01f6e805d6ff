#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Softnet, LinesWithoutCoresThatAreNotThoseOnlineHaveNoValues) {
  TestHost host(*find_collector("softnet"));
  host.write("sys/devices/system/cpu/online", "0,2\n");
  host.write("proc/net/softnet_stat", "0000000a 00000000 00000000\n00000014 00000000 00000000\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_softnet_packets_total{cpu=2}"), 20u);
  host.write("sys/devices/system/cpu/online", "0-2\n");
  host.tick();
  EXPECT_FALSE(host.value("network_softnet_packets_total{cpu=0}"));
}

}  // namespace
}  // namespace reveal::collect
