#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Zfs, TheCacheAndItsTarget) {
  TestHost host(*find_collector("zfs"));
  host.write(
      "proc/spl/kstat/zfs/arcstats",
      "13 1 0x01 3 816 1 2\nname type data\nhits 4 90\nmisses 4 10\nc 4 4096\nsize 4 2048\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("storage_zfs_cache_misses_total"), 10);
  EXPECT_EQ(host.value("storage_zfs_cache_bytes"), 2048);
  EXPECT_EQ(host.value("storage_zfs_cache_target_bytes"), 4096);
  EXPECT_FALSE(host.value("storage_zfs_cache_limit_bytes"));
}

}  // namespace
}  // namespace reveal::collect
