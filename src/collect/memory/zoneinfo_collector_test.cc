#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

std::string zone(int node, const std::string& name, int free, int low, int managed) {
  return "Node " + std::to_string(node) + ", zone   " + name + "\n  pages free     " +
         std::to_string(free) + "\n        min      5\n        low      " + std::to_string(low) +
         "\n        high     30\n        managed  " + std::to_string(managed) + "\n";
}

TEST(Zoneinfo, DistanceToTheLowWatermark) {
  const double page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  TestHost host(*find_collector("zoneinfo"));
  host.write("proc/zoneinfo", zone(0, "DMA32", 100, 20, 1000) + zone(1, "Normal", 15, 20, 5000));
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_zone_free_bytes{node=0,zone=DMA32}"), 100 * page);
  EXPECT_EQ(host.value("memory_zone_low_distance_bytes{node=0,zone=DMA32}"), 80 * page);
  EXPECT_EQ(host.value("memory_zone_low_distance_bytes{node=1,zone=Normal}"), -5 * page);
  EXPECT_EQ(host.value("memory_zone_high_bytes{node=1,zone=Normal}"), 30 * page);
}

TEST(Zoneinfo, AZoneWithoutMemoryIsLeftOut) {
  TestHost host(*find_collector("zoneinfo"));
  host.write("proc/zoneinfo", zone(0, "DMA32", 100, 20, 1000) + zone(0, "Movable", 0, 0, 0));
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_TRUE(host.value("memory_zone_free_bytes{node=0,zone=DMA32}"));
  EXPECT_EQ(host.channels(), 5u);
}

}  // namespace
}  // namespace reveal::collect
