#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Bcache, SizesAreWrittenForPeople) {
  TestHost host(*find_collector("bcache"));
  host.write("sys/block/bcache0/bcache/stats_total/cache_misses", "12\n");
  host.write("sys/block/bcache0/bcache/dirty_data", "1.5k\n");
  ASSERT_TRUE(host.open());
  const auto dirty = [&](const char* text) {
    host.write("sys/block/bcache0/bcache/dirty_data", text);
    host.tick();
    return host.value("storage_bcache_dirty_bytes{dev=bcache0}");
  };
  EXPECT_EQ(dirty("512\n"), 512);
  EXPECT_EQ(dirty("0.0k\n"), 0);
  EXPECT_EQ(dirty("1.5k\n"), 1536);
  EXPECT_EQ(dirty("2.0G\n"), 2147483648.0);
  for (const char* text : {"2.0", "\n", "G\n", "1.5X\n", "1.5kB\n", "-1.0k\n", "nan\n"}) {
    EXPECT_FALSE(dirty(text)) << text;
  }
  EXPECT_EQ(host.value("storage_bcache_misses_total{dev=bcache0}"), 12);
}

}  // namespace
}  // namespace reveal::collect
