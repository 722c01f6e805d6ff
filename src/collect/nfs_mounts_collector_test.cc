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

// Pods that share a volume mount the same file system again and again.
TEST(NfsMounts, AFileSystemInSeveralPlacesIsToldOnce) {
  TestHost host(*find_collector("nfs_mounts"));
  host.write("proc/self/mountstats",
             mount("filer:/data", "/mnt/data", 1, 1) + mount("filer:/data", "/pods/1", 1, 1));
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("storage_nfs_mount_operations_total{mount=/mnt/data,op=all}"), 2);
  EXPECT_FALSE(host.value("storage_nfs_mount_operations_total{mount=/pods/1,op=all}"));
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
