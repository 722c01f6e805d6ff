// Disks and NUMA nodes that come and go, what is said of them, and the two collectors that ask the
// running kernel, against other calls of the same kernel.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <sys/timex.h>
#include <unistd.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
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

TEST(Numastat, NodesComeAndGo) {
  TestHost host(*find_collector("numastat"));
  host.write("sys/devices/system/node/online", "0\n");
  host.write("sys/devices/system/node/node0/numastat", "numa_hit 10\nnuma_miss 1\n");
  host.write("sys/devices/system/node/node2/numastat", "numa_hit 30\nnuma_miss 3\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_node_hits_total{node=0}"), 10u);
  EXPECT_FALSE(host.value("memory_node_hits_total{node=2}")) << "not online";
  host.write("sys/devices/system/node/online", "0,2\n");
  host.tick();
  EXPECT_EQ(host.value("memory_node_hits_total{node=2}"), 30u);
  host.write("sys/devices/system/node/online", "2\n");
  host.tick();
  EXPECT_FALSE(host.value("memory_node_hits_total{node=0}"));
  EXPECT_EQ(host.value("memory_node_misses_total{node=2}"), 3u);
}

// A line that has more or fewer numbers than there are nodes cannot be told apart by place.
TEST(NodeDistance, NeedsANumberForEveryNode) {
  TestHost host(*find_collector("node_distance"));
  host.write("sys/devices/system/node/online", "0,2\n");
  host.write("sys/devices/system/node/node0/distance", "10 20\n");
  host.write("sys/devices/system/node/node2/distance", "20 10 30\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_node_distance{node=0,to=2}"), 20u);
  EXPECT_FALSE(host.value("memory_node_distance{node=2,to=0}"));
}

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

TEST(Softnet, LinesWithoutCoresThatAreNotThoseOnlineHaveNoValues) {
  TestHost host(*find_collector("softnet"));
  host.write("sys/devices/system/cpu/online", "0,2\n");
  host.write("proc/net/softnet_stat", "0000000a 00000000 00000000\n00000014 00000000 00000000\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("network_softnet_packets_total{cpu=2}"), 20u);
  host.write("sys/devices/system/cpu/online", "0-2\n");
  host.tick();
  EXPECT_FALSE(host.value("network_softnet_packets_total{cpu=0}"));
}

TEST(Schedstat, AFormatThatIsNotKnownIsSaidSo) {
  const auto collector = find_collector("schedstat")->make();
  const fs::path path = fs::path(::testing::TempDir()) / ("sched_" + std::to_string(::getpid()));
  fs::create_directories(path);
  std::ofstream(path / "schedstat") << "version 99\ntimestamp 1\ncpu0 1 2 3 4 5 6 7 8 9\n";
  model::ChannelTable channels;
  ASSERT_TRUE(collector->open({path.string(), path.string()}, channels));
  EXPECT_EQ(channels.channel_count(), 0u);
  const auto why = collector->why_absent(find_collector("schedstat")->metrics().front());
  EXPECT_EQ(why.what, "version 99 of the format is not known");
  fs::remove_all(path);
}

// One collector on this machine.
struct Live {
  explicit Live(std::unique_ptr<Collector> collector) {
    const auto opened = collector->open({}, channels);
    EXPECT_TRUE(opened) << opened.error().message();
    FrameWriter writer(channels, frame, "test");
    collector->collect(writer);
  }
  std::optional<double> real(std::string_view channel) const {
    const auto id = channels.find_channel(channel);
    if (!id || !frame.was_read(*id)) return std::nullopt;
    return std::bit_cast<double>(frame.bits[id->index()]);
  }
  std::optional<std::uint64_t> whole(std::string_view channel) const {
    const auto id = channels.find_channel(channel);
    if (!id || !frame.was_read(*id)) return std::nullopt;
    return frame.bits[id->index()];
  }
  model::ChannelTable channels;
  model::Frame frame;
};

// The standard library asks the same file systems; files of this machine may change between.
TEST(FilesystemLive, AgreesWithTheStandardLibrary) {
  const Live live(find_collector("filesystem")->make());
  int checked = 0;
  for (const char* point : {"/", "/dev/shm"}) {
    const auto used = live.whole(std::string("storage_filesystem_used_bytes{mount=") + point + "}");
    if (!used) continue;
    ++checked;
    const auto space = fs::space(point);
    const auto expected = static_cast<double>(space.capacity - space.free);
    const double tolerance = 0.01 * static_cast<double>(space.capacity);
    EXPECT_NEAR(static_cast<double>(*used), expected, tolerance) << point;
    const auto ratio = live.real(std::string("storage_filesystem_used_ratio{mount=") + point + "}");
    ASSERT_TRUE(ratio) << point;
    EXPECT_NEAR(*ratio, expected / (expected + static_cast<double>(space.available)), 0.01);
  }
  if (checked == 0) GTEST_SKIP() << "no local file system at a place that this test knows";
}

TEST(FilesystemLive, ACapturedTreeIsNotAskedHere) {
  TestHost host(*find_collector("filesystem"));
  host.write("proc/self/mountinfo", "27 1 254:0 / / rw - ext4 /dev/vda rw\n");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

// ntp_gettime() is another way to ask the same of the kernel; its bound grows between the calls.
TEST(ClockLive, AgreesWithNtpGettime) {
  struct ntptimeval before {};
  const int state = ::ntp_gettime(&before);
  const Live live(find_collector("clock")->make());
  const auto max_error = live.real("cpu_clock_max_error_seconds");
  ASSERT_TRUE(max_error);
  EXPECT_NEAR(*max_error, static_cast<double>(before.maxerror) * 1e-6, 0.01);
  EXPECT_DOUBLE_EQ(live.real("cpu_clock_estimated_error_seconds").value(),
                   static_cast<double>(before.esterror) * 1e-6);
  EXPECT_EQ(live.whole("cpu_clock_unsynchronized_flag"), state == TIME_ERROR ? 1u : 0u);
}

}  // namespace
}  // namespace reveal::collect
