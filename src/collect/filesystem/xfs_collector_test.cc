#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Xfs, EachFileSystemByItself) {
  TestHost host(*find_collector("xfs"));
  host.write("sys/fs/xfs/sda1/stats/stats", "log 10 20 3 40 50\nxpc 1 200 300\n");
  host.write("sys/fs/xfs/dm-3/stats/stats", "log 1 2 0 4 5\nxpc 0 0 7\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("storage_xfs_log_buffer_waits_total{dev=sda1}"), 3);
  EXPECT_EQ(host.value("storage_xfs_log_force_waits_total{dev=sda1}"), 50);
  EXPECT_EQ(host.value("storage_xfs_written_bytes_total{dev=sda1}"), 200);
  EXPECT_EQ(host.value("storage_xfs_read_bytes_total{dev=dm-3}"), 7);
  host.remove("sys/fs/xfs/dm-3");
  host.tick();
  EXPECT_FALSE(host.value("storage_xfs_read_bytes_total{dev=dm-3}"));
}

// The folder "stats" is the sum of all file systems, which would count everything twice.
TEST(Xfs, TheSumOfAllIsLeftOut) {
  TestHost host(*find_collector("xfs"));
  host.write("sys/fs/xfs/stats/stats", "log 10 20 3 40 50\n");
  EXPECT_FALSE(host.open());
}

}  // namespace
}  // namespace reveal::collect
