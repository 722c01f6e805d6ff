// NUMA nodes that come and go, and files that do not fit them.
#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Numastat, NodesComeAndGo) {
  TestHost host(*find_collector("numastat"));
  host.write("sys/devices/system/node/online", "0\n");
  host.write("sys/devices/system/node/node0/numastat", "numa_hit 10\nnuma_miss 1\n");
  host.write("sys/devices/system/node/node2/numastat", "numa_hit 30\nnuma_miss 3\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_node_hits_total{node=0}"), 10u);
  EXPECT_FALSE(host.value("memory_node_hits_total{node=2}")) << "not online";
  host.write("sys/devices/system/node/online", "0,2\n");
  host.tick();
  EXPECT_EQ(host.value("memory_node_hits_total{node=2}"), 30u);
  host.write("sys/devices/system/node/online", "2\n");
  host.tick();
  EXPECT_FALSE(host.value("memory_node_hits_total{node=0}"));
  EXPECT_EQ(host.value("memory_node_misses_total{node=2}"), 3u);
}

// A line that has more or fewer numbers than there are nodes cannot be told apart by place.
TEST(NodeDistance, NeedsANumberForEveryNode) {
  TestHost host(*find_collector("node_distance"));
  host.write("sys/devices/system/node/online", "0,2\n");
  host.write("sys/devices/system/node/node0/distance", "10 20\n");
  host.write("sys/devices/system/node/node2/distance", "20 10 30\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_node_distance{node=0,to=2}"), 20u);
  EXPECT_FALSE(host.value("memory_node_distance{node=2,to=0}"));
}

}  // namespace
}  // namespace reveal::collect
