// What file systems and caches of disks say of themselves: XFS, btrfs, ZFS, bcache; and what the
// kernel counts of files and pages as a whole.
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

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

TEST(FileHandles, OpenFilesAndTheirLimit) {
  TestHost host(*find_collector("file_handles"));
  host.write("proc/sys/fs/file-nr", "638\t0\t10000\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_open_files"), 638);
  EXPECT_EQ(host.value("memory_open_files_limit"), 10000);
}

TEST(Ksm, PagesAreToldInBytes) {
  TestHost host(*find_collector("ksm"));
  host.write("sys/kernel/mm/ksm/pages_sharing", "10\n");
  host.write("sys/kernel/mm/ksm/full_scans", "3\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_ksm_saved_bytes"), 10.0 * static_cast<double>(::getpagesize()));
  EXPECT_EQ(host.value("memory_ksm_scans_total"), 3);
}

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
