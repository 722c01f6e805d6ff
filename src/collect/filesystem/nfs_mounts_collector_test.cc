#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

std::string mount(const std::string& device, const std::string& point, int operations,
                  int transmissions) {
  const std::string counts =
      std::to_string(operations) + " " + std::to_string(transmissions) + " 1 0 0 100 2000 2500 3\n";
  return "device " + device + " mounted on " + point +
         " with fstype nfs4 statvers=1.1\n"
         "\tbytes:\t1 2 0 0 4096 8192 1 2\n"
         "\txprt:\ttcp 889 1 1 0 12 5000 4999 0 6000 250 16 100 200\n"
         "\tper-op statistics\n\t        READ: " +
         counts + "\t     GETATTR: " + counts + "\n";
}

TEST(NfsMounts, TellsReadsAndAllOperationsApart) {
  TestHost host(*find_collector("nfs_mounts"));
  host.write("proc/self/mountstats", mount("filer:/data", "/mnt/data", 1000, 1010));
  ASSERT_TRUE(host.open());
  host.tick();
  const std::string read = "{mount=/mnt/data,op=read}";
  const std::string all = "{mount=/mnt/data,op=all}";
  EXPECT_EQ(host.value("storage_nfs_mount_operations_total" + read), 1000);
  EXPECT_EQ(host.value("storage_nfs_mount_operations_total" + all), 2000);
  EXPECT_EQ(host.value("storage_nfs_mount_retransmits_total" + read), 10);
  EXPECT_EQ(host.value("storage_nfs_mount_retransmits_total" + all), 20);
  EXPECT_EQ(host.value("storage_nfs_mount_round_trip_seconds_total" + read), 2);
  EXPECT_EQ(host.value("storage_nfs_mount_execution_seconds_total" + all), 5);
  EXPECT_FALSE(host.value("storage_nfs_mount_operations_total{mount=/mnt/data,op=write}"));
  EXPECT_EQ(host.value("storage_nfs_mount_read_bytes_total{mount=/mnt/data}"), 4096);
  EXPECT_EQ(host.value("storage_nfs_mount_backlog_requests_total{mount=/mnt/data}"), 250);
}

constexpr const char* kOperations = "storage_nfs_mount_operations_total";

std::optional<double> operations(const TestHost& host, const std::string& mount) {
  return host.value(kOperations + ("{mount=" + mount + ",op=all}"));
}

// With nosharecache each mount has a superblock, connections and numbers of its own.
TEST(NfsMounts, TwoMountsOfOneExportAreTwo) {
  TestHost host(*find_collector("nfs_mounts"));
  host.write("proc/self/mountstats",
             mount("filer:/data", "/mnt/a", 1, 1) + mount("filer:/data", "/mnt/b", 5, 5));
  host.write("proc/self/mountinfo",
             "36 35 0:52 / /mnt/a rw - nfs4 filer:/data rw\n"
             "37 35 0:53 / /mnt/b rw - nfs4 filer:/data rw\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(operations(host, "/mnt/a"), 2);
  EXPECT_EQ(operations(host, "/mnt/b"), 10);
  EXPECT_EQ(host.value("storage_nfs_mount_answers_total{mount=/mnt/b}"), 4999);
  EXPECT_EQ(host.value("storage_nfs_mount_pending_requests_total{mount=/mnt/b}"), 200);
}

// Pods that share a volume mount the same file system again and again, at long paths.
TEST(NfsMounts, AFileSystemInSeveralPlacesIsToldOnce) {
  TestHost host(*find_collector("nfs_mounts"));
  std::string stats;
  std::string info;
  for (int i = 0; i < 200; ++i) {
    const std::string point = "/pods/" + std::to_string(i);
    stats += mount("filer:/data", point, 1, 1);
    info += "36 35 0:52 / " + point + " rw - nfs4 filer:/data rw\n";
  }
  stats += mount("filer:/home", "/home", 5, 5);
  host.write("proc/self/mountstats", stats);
  host.write("proc/self/mountinfo", info);
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(operations(host, "/pods/0"), 2);
  EXPECT_FALSE(operations(host, "/pods/1"));
  EXPECT_EQ(operations(host, "/home"), 10);

  host.write("proc/self/mountstats", mount("filer:/data", "/pods/1", 7, 7));
  host.tick();
  EXPECT_FALSE(operations(host, "/pods/0"));
  EXPECT_EQ(operations(host, "/pods/1"), 14);
}

// Blanks, commas and long paths; the device has blanks too.
TEST(NfsMounts, OddPathsAreMountsOfTheirOwn) {
  TestHost host(*find_collector("nfs_mounts"));
  const std::string pod = "/var/lib/kubelet/pods/7fa1c0de-0000-1111-2222-333344445555/volumes/";
  host.write("proc/self/mountstats", mount("filer:/a\\040b", "/mnt/a\\040b", 1, 1) +
                                         mount("filer:/a\\040b", "/mnt/a,b", 2, 2) +
                                         mount("filer:/a\\040b", "/mnt/a_b", 3, 3) +
                                         mount("x:/1", pod + "one", 4, 4) +
                                         mount("x:/2", pod + "two", 5, 5));
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(operations(host, "/mnt/a b"), 2);
  EXPECT_EQ(operations(host, "/mnt/a_b"), 6);
  const std::string prefix = std::string(kOperations) + "{mount=";
  std::set<double> counts;
  std::size_t short_names = 0;
  for (const auto& name : host.channel_names()) {
    if (!name.starts_with(prefix) || !name.ends_with("op=all}")) continue;
    counts.insert(host.value(name).value_or(-1));
    if (name.size() < prefix.size() + 64 + 8) ++short_names;
  }
  EXPECT_THAT(counts, ::testing::ElementsAre(2, 4, 6, 8, 10));
  EXPECT_EQ(short_names, 5u);
}

TEST(NfsMounts, AnotherExportAtTheSamePlaceCountsAnew) {
  TestHost host(*find_collector("nfs_mounts"));
  host.write("proc/self/mountstats", mount("filer:/data", "/mnt", 5, 5));
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_FALSE(host.is_reset("storage_nfs_mount_read_bytes_total{mount=/mnt}"));
  host.write("proc/self/mountstats", mount("other:/data", "/mnt", 50, 50));
  host.tick();
  EXPECT_EQ(operations(host, "/mnt"), 100);
  EXPECT_TRUE(host.is_reset("storage_nfs_mount_read_bytes_total{mount=/mnt}"));
  EXPECT_TRUE(host.is_reset("storage_nfs_mount_operations_total{mount=/mnt,op=all}"));
  host.tick();
  EXPECT_FALSE(host.is_reset("storage_nfs_mount_operations_total{mount=/mnt,op=all}"));
}

TEST(NfsMounts, MountsComeAndGo) {
  TestHost host(*find_collector("nfs_mounts"));
  host.write("proc/self/mountstats", mount("filer:/data", "/mnt/data", 1, 1));
  ASSERT_TRUE(host.open());
  host.write("proc/self/mountstats", mount("filer:/home", "/home", 5, 5));
  host.tick();
  EXPECT_FALSE(host.value("storage_nfs_mount_operations_total{mount=/mnt/data,op=all}"));
  EXPECT_EQ(host.value("storage_nfs_mount_operations_total{mount=/home,op=all}"), 10);
}

TEST(NfsMounts, AHostWithoutSuchMountsIsToldSo) {
  TestHost host(*find_collector("nfs_mounts"));
  host.write("proc/self/mountstats", "device proc mounted on /proc with fstype proc\n");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().what, "no NFS file system is mounted");
}

// The shape of fs/nfsd/stats.c.
std::string nfsd(std::uint64_t hits, std::uint64_t read, std::uint64_t written,
                 std::uint64_t calls) {
  const auto text = [](std::uint64_t value) { return std::to_string(value); };
  return "rc " + text(hits) + " 5 6\nfh 1 0 0 0 0\nio " + text(read) + " " + text(written) +
         "\nth 16 0 0.000 0.000\nnet 9 0 9 2\nrpc " + text(calls) + " 1 1 0 0\nproc3 22 0 1\n";
}

bool any_reset(const TestHost& host) {
  const auto names = host.channel_names();
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return host.is_reset(name); });
}

// What CounterDelta must know to tell a wrap: before Linux 5.13 all of them have 32 bits.
TEST(Nfsd, CountersMayHave32Bits) {
  for (const auto& metric : find_collector("nfsd")->metrics()) {
    const bool counts = metric.kind == model::Kind::kCounter || metric.kind == model::Kind::kEvent;
    EXPECT_EQ(metric.counter_bits, counts ? 32 : 64) << metric.name;
  }
}

TEST(Nfsd, AWrapOfOneCounterIsNoRestart) {
  TestHost host(*find_collector("nfsd"));
  host.write("proc/net/rpc/nfsd", nfsd(9, 4'294'967'290U, 500, 70));
  ASSERT_TRUE(host.open());
  host.tick();
  host.write("proc/net/rpc/nfsd", nfsd(9, 12, 600, 80));
  host.tick();
  EXPECT_EQ(host.value("storage_nfsd_read_bytes_total"), 12);
  EXPECT_FALSE(any_reset(host));
}

// Close below 2^32 a restart would look like a wrap: 4,294,967,000 and then 5,000,000.
TEST(Nfsd, AModuleLoadedAgainCountsAnew) {
  TestHost host(*find_collector("nfsd"));
  host.write("proc/net/rpc/nfsd", nfsd(9, 4'294'967'000U, 4'294'960'000U, 70'000));
  ASSERT_TRUE(host.open());
  host.tick();
  host.write("proc/net/rpc/nfsd", nfsd(0, 5'000'000, 0, 90));
  host.tick();
  for (const char* name : {"storage_nfsd_read_bytes_total", "storage_nfsd_written_bytes_total",
                           "storage_nfsd_calls_total", "storage_nfsd_repeated_calls_total"}) {
    EXPECT_TRUE(host.is_reset(name)) << name;
  }
  host.tick();
  EXPECT_FALSE(any_reset(host));
}

TEST(Nfsd, NumbersAreMissingWhileTheModuleIsAway) {
  TestHost host(*find_collector("nfsd"));
  host.write("proc/net/rpc/nfsd", nfsd(9, 10, 20, 30));
  ASSERT_TRUE(host.open());
  host.remove("proc/net/rpc/nfsd");
  host.tick();
  EXPECT_FALSE(host.value("storage_nfsd_calls_total"));
  host.write("proc/net/rpc/nfsd", nfsd(0, 0, 0, 1));
  host.tick();
  EXPECT_EQ(host.value("storage_nfsd_calls_total"), 1);
  EXPECT_TRUE(host.is_reset("storage_nfsd_calls_total"));
}

TEST(Nfsd, SaysThreadsBytesAndRepeatedCalls) {
  TestHost host(*find_collector("nfsd"));
  host.write("proc/net/rpc/nfsd",
             "rc 4 5 6\nfh 1 0 0 0 0\nio 100 200\nth 16 0 0.000\nnet 9 0 9 2\nrpc 9 1 1 0 0\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("storage_nfsd_threads"), 16);
  EXPECT_EQ(host.value("storage_nfsd_written_bytes_total"), 200);
  EXPECT_EQ(host.value("storage_nfsd_repeated_calls_total"), 4);
  EXPECT_EQ(host.value("storage_nfsd_bad_calls_total"), 1);
}

}  // namespace
}  // namespace reveal::collect
