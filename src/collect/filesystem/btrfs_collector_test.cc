#include <string>

#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(Btrfs, ErrorsOfEachDevice) {
  TestHost host(*find_collector("btrfs"));
  const std::string folder = "sys/fs/btrfs/5f3c1a2b-0000-4000-8000-000000000001/";
  host.write(folder + "devinfo/1/error_stats",
             "write_errs 1\nread_errs 2\nflush_errs 3\ncorruption_errs 4\ngeneration_errs 5\n");
  host.write(folder + "devinfo/2/error_stats", "invalid\n");
  host.write(folder + "devinfo/2/missing", "1\n");
  host.write(folder + "commit_stats", "commits 7\nlast_commit_ms 1\ntotal_commit_ms 1500\n");
  host.write("sys/fs/btrfs/features/raid56", "0\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("storage_btrfs_read_errors_total{fs=5f3c1a2b,device=1}"), 2);
  EXPECT_EQ(host.value("storage_btrfs_corruption_errors_total{fs=5f3c1a2b,device=1}"), 4);
  EXPECT_FALSE(host.value("storage_btrfs_read_errors_total{fs=5f3c1a2b,device=2}"));
  EXPECT_EQ(host.value("storage_btrfs_missing_flag{fs=5f3c1a2b,device=2}"), 1);
  EXPECT_EQ(host.value("storage_btrfs_commit_seconds_total{fs=5f3c1a2b}"), 1.5);
}

// "btrfs device add", "remove" and "replace", and a second file system.
TEST(Btrfs, DevicesComeAndGo) {
  TestHost host(*find_collector("btrfs"));
  const std::string folder = "sys/fs/btrfs/5f3c1a2b-0000-4000-8000-000000000001/devinfo/";
  const auto write_device = [&](const std::string& device, const char* errors) {
    host.write(device + "/error_stats", std::string("write_errs ") + errors + "\n");
  };
  write_device(folder + "1", "1");
  ASSERT_TRUE(host.open());
  host.tick();
  const std::string errors = "storage_btrfs_write_errors_total";
  EXPECT_EQ(host.value(errors + "{fs=5f3c1a2b,device=1}"), 1);

  write_device(folder + "2", "7");
  host.tick();
  EXPECT_EQ(host.value(errors + "{fs=5f3c1a2b,device=1}"), 1);
  EXPECT_EQ(host.value(errors + "{fs=5f3c1a2b,device=2}"), 7);

  host.remove(folder + "1");
  host.tick();
  EXPECT_FALSE(host.value(errors + "{fs=5f3c1a2b,device=1}"));
  EXPECT_EQ(host.value(errors + "{fs=5f3c1a2b,device=2}"), 7);

  const std::string other = "sys/fs/btrfs/5f3c1a2b-0000-4000-8000-000000000002/devinfo/";
  write_device(other + "1", "30");
  host.tick();
  EXPECT_EQ(host.value(errors + "{fs=5f3c1a2b-0000-4000-8000-000000000002,device=1}"), 30);
  write_device(other + "2", "40");
  host.tick();
  EXPECT_EQ(host.value(errors + "{fs=5f3c1a2b-0000-4000-8000-000000000002,device=2}"), 40);
}

}  // namespace
}  // namespace reveal::collect
