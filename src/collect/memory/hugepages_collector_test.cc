#include <string>

#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

// A pool that cannot be read makes the sum unknown, not smaller.
TEST(Hugepages, SumNeedsEverySize) {
  TestHost host(*find_collector("hugepages"));
  const std::string small = "sys/kernel/mm/hugepages/hugepages-2048kB/";
  const std::string large = "sys/kernel/mm/hugepages/hugepages-1048576kB/";
  host.write(small + "free_hugepages", "3\n");
  host.write(small + "resv_hugepages", "1\n");
  host.write(large + "free_hugepages", "1\n");
  host.write(large + "resv_hugepages", "0\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_hugepages_unused_bytes"), 2 * 2097152u + 1073741824u);
  host.write(large + "resv_hugepages", "N/A\n");
  host.tick();
  EXPECT_FALSE(host.value("memory_hugepages_unused_bytes"));
  EXPECT_EQ(host.value("memory_hugepages_free_pages{size=2048kB}"), 3u);
}

}  // namespace
}  // namespace reveal::collect
