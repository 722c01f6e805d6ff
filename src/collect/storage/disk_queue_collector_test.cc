// Disks that come and go, and what is said of their schedulers.
#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(DiskQueue, SaysTheSchedulerOnceAndOnChange) {
  TestHost host(*find_collector("disk_queue"));
  host.write("sys/block/sda/queue/scheduler", "none [mq-deadline] kyber\n");
  host.write("sys/block/nvme0n1/queue/scheduler", "[none] mq-deadline\n");
  host.write("sys/block/nvme0n1/queue/nr_requests", "1023\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_THAT(host.facts(), UnorderedElementsAre("I/O scheduler of sda: mq-deadline",
                                                 "I/O scheduler of nvme0n1: none"));
  host.tick();
  EXPECT_THAT(host.facts(), IsEmpty());
  host.write("sys/block/sda/queue/scheduler", "none mq-deadline [kyber]\n");
  host.tick();
  EXPECT_THAT(host.facts(), ElementsAre("I/O scheduler of sda: kyber"));
  host.remove("sys/block/sda");
  host.tick();
  EXPECT_THAT(host.facts(), ElementsAre("I/O scheduler of sda: "));
}

TEST(DiskQueue, DisksComeAndGo) {
  TestHost host(*find_collector("disk_queue"));
  host.write("sys/block/sda/queue/nr_requests", "64\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("storage_queue_limit_requests{dev=sda}"), 64u);
  host.write("sys/block/cciss!c0d0/queue/nr_requests", "128\n");
  host.remove("sys/block/sda");
  host.tick();
  EXPECT_EQ(host.value("storage_queue_limit_requests{dev=cciss/c0d0}"), 128u);
  EXPECT_FALSE(host.value("storage_queue_limit_requests{dev=sda}"));
  host.write("sys/block/sda/queue/nr_requests", "32\n");
  host.tick();
  EXPECT_EQ(host.value("storage_queue_limit_requests{dev=sda}"), 32u);
}

TEST(DiskQueue, HostWithoutDisksSaysSo) {
  TestHost host(*find_collector("disk_queue"));
  host.write("sys/block/loop0/queue/nr_requests", "64\n");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().what, "no disk shows its queue settings");
}

}  // namespace
}  // namespace reveal::collect
