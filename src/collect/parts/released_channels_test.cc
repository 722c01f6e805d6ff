// Collectors whose devices come and go: a sampler has as many channels as live at once, and what a
// channel says is of its own device, however often its number was another one's.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "collect/parts/instance_channels.h"
#include "collect/registry.h"
#include "collect/sampler.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

using model::Validity;

constexpr std::size_t kAtOnce = 5;
constexpr std::size_t kPerReading = 2;

// In each reading two devices come and the two oldest go; the value of a device is its number.
class Churns final : public Collector {
 public:
  explicit Churns(std::string_view metric) {
    metrics_[0].name = metric;
    metrics_[0].collector = metric;
  }

  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable& channels) override {
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    for (std::size_t i = 0; i < kPerReading; ++i, ++come_) {
      devices_.emplace_back(come_, InstanceChannels(metrics_, "dev=" + std::to_string(come_)));
    }
    while (devices_.size() > kAtOnce) {
      devices_.front().second.release(writer);
      devices_.pop_front();
    }
    for (auto& [number, channels] : devices_) channels.set(writer, 0, procfs::Value(number));
  }

 private:
  std::vector<model::MetricDescriptor> metrics_{1};
  std::deque<std::pair<std::uint64_t, InstanceChannels>> devices_;
  std::uint64_t come_ = 0;
};

SourceSpec spec(std::string_view name, bool may_block, PollClass poll_class = PollClass::kFast) {
  SourceSpec out;
  out.name = name;
  out.collector = std::make_unique<Churns>(name);
  out.poll_class = poll_class;
  out.may_block = may_block;
  out.metrics = 1;
  return out;
}

std::uint64_t number_in(std::string_view instance) {
  std::uint64_t out = 0;
  instance.remove_prefix(instance.find('=') + 1);
  std::from_chars(instance.data(), instance.data() + instance.size(), out);
  return out;
}

// Returns how many channels have values, each of its own device.
std::size_t expect_own_values(const model::ChannelTable& table, const model::Frame& frame) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    const model::ChannelId id(i);
    if (frame.validity[i] == Validity::kMissing) continue;
    EXPECT_FALSE(table.is_free(id));
    EXPECT_EQ(frame.bits[i], number_in(table.channel(id).instance)) << table.name(id);
    ++out;
  }
  return out;
}

TEST(ReleasedChannels, ASamplerHasAsManyAsLiveAtOnce) {
  SamplerOptions options;
  options.interval = std::chrono::milliseconds(10);
  Sampler::Sources sources;
  sources.push_back(spec("here", false));
  sources.push_back(spec("behind", true));
  sources.push_back(spec("here_too", false));
  auto sampler = Sampler::open(options, std::move(sources));
  ASSERT_TRUE(sampler);
  std::size_t most = 0;
  std::string said;
  for (int i = 0; i < 200; ++i) {
    const auto frame = (*sampler)->next();
    ASSERT_TRUE(frame && *frame != nullptr);
    for (const auto& note : (*frame)->notes) said += note.subject + ": " + note.text + "\n";
    most = std::max(most, expect_own_values((*sampler)->channels(), **frame));
  }
  EXPECT_EQ(most, 3 * kAtOnce) << said;
  const auto& table = (*sampler)->channels();
  EXPECT_LE(table.channel_count(), 3 * (kAtOnce + kPerReading));
  EXPECT_LE(table.instance_count(), 3 * kAtOnce);
}

// /proc/net/dev of a host with an adapter and the interfaces of some pods.
std::string net_dev(int first_pod, int pods) {
  std::string out =
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs "
      "drop "
      "fifo colls carrier compressed\n";
  const auto add = [&out](const std::string& name) {
    out += name + ": 3267 29 0 0 0 0 0 0 3267 29 0 0 0 0 0 0\n";
  };
  add("eth0");
  for (int i = 0; i < pods; ++i) add("veth" + std::to_string(first_pod + i));
  return out;
}

TEST(ReleasedChannels, AnInterfaceThatIsGoneGivesItsPlaceBack) {
  TestHost host(*find_collector("net_dev"));
  host.write("proc/net/dev", net_dev(0, 40));
  ASSERT_TRUE(host.open());
  for (int first = 0; first < 4000; first += 40) {
    host.write("proc/net/dev", net_dev(first, 40));
    for (int i = 0; i < 60; ++i) host.tick();  // it looks for those that are gone now and then
    const auto last = "veth" + std::to_string(first + 39);
    ASSERT_TRUE(host.value("network_received_bytes_total{dev=" + last + "}")) << last;
    ASSERT_TRUE(host.value("network_received_bytes_total{dev=eth0}"));
  }
  EXPECT_LE(host.channel_names().size(), 64u * 16);
}

// Volumes of containers: an NFS mount each, with another name each time.
std::string mountstats(int first, int mounts) {
  std::string out;
  for (int i = first; i < first + mounts; ++i) {
    out += fmt::format("device filer:/{0} mounted on /pods/{0} with fstype nfs4 statvers=1.1\n", i);
    out += "\tbytes:\t1 2 0 0 4096 8192 1 2\n\tper-op statistics\n";
    for (const char* operation : {"READ", "GETATTR"}) {
      out += fmt::format("\t{:>12}: 10 10 1 0 0 100 2000 2500 3\n", operation);
    }
  }
  return out;
}

TEST(ReleasedChannels, AnNfsMountThatIsGoneGivesItsPlaceBack) {
  constexpr int kMounts = 40;
  TestHost host(*find_collector("nfs_mounts"));
  host.write("proc/self/mountstats", mountstats(0, kMounts));
  ASSERT_TRUE(host.open());
  for (int first = 0; first < 6000; first += kMounts) {
    host.write("proc/self/mountstats", mountstats(first, kMounts));
    host.tick();
    for (const int place : {first, first + kMounts - 1}) {
      const auto name = fmt::format("storage_nfs_mount_read_bytes_total{{mount=/pods/{}}}", place);
      ASSERT_EQ(host.value(name), 4096) << name;
    }
  }
  EXPECT_LE(host.channels(), 2u * kMounts * 50);
  // Another file system may have come to a place that was forgotten: its numbers do not go on.
  const std::string first = "storage_nfs_mount_read_bytes_total{mount=/pods/0}";
  host.write("proc/self/mountstats", mountstats(0, 1));
  host.tick();
  EXPECT_TRUE(host.is_reset(first));
  host.tick();
  EXPECT_FALSE(host.is_reset(first));
}

// Volumes that are attached and detached, each under a name of its own.
class Volumes {
 public:
  explicit Volumes(TestHost& host) : host_(host) {}

  // In the place of those before.
  void attach(int first, int volumes) {
    for (const auto& name : names_) host_.remove("sys/block/" + name);
    names_.clear();
    std::string stats;
    for (int i = first; i < first + volumes; ++i) {
      const auto& name = names_.emplace_back(fmt::format("vol{}x", i));
      host_.write("sys/block/" + name + "/queue/nr_requests", "64\n");
      host_.write("sys/block/" + name + "/queue/scheduler", "[none] mq-deadline\n");
      host_.write("sys/block/" + name + "/inflight", "       2        3\n");
      stats += fmt::format(" 253 {} {} 10 0 80 5 20 0 160 9 0 8 14 0 0 0 0 0 0\n", i, name);
    }
    host_.write("proc/diskstats", stats);
  }

 private:
  TestHost& host_;
  std::vector<std::string> names_;
};

struct DiskCase {
  const char* collector;
  const char* metric;
  double value;
  int readings;  // after which there must be room again
};

class DisksThatGo : public ::testing::TestWithParam<DiskCase> {};

TEST_P(DisksThatGo, GiveTheirPlacesBack) {
  constexpr int kVolumes = 90;
  TestHost host(*find_collector(GetParam().collector));
  Volumes volumes(host);
  volumes.attach(0, kVolumes);
  ASSERT_TRUE(host.open());
  for (int first = 0; first < 5 * kVolumes; first += kVolumes) {
    volumes.attach(first, kVolumes);
    for (int i = 0; i < GetParam().readings; ++i) host.tick();
    for (const int volume : {first, first + kVolumes - 1}) {
      const auto name = fmt::format("{}{{dev=vol{}x}}", GetParam().metric, volume);
      ASSERT_EQ(host.value(name), GetParam().value) << name;
    }
  }
  EXPECT_LE(host.channels(), 256u * 17);
}

INSTANTIATE_TEST_SUITE_P(
    Collectors, DisksThatGo,
    ::testing::Values(DiskCase{"diskstats", "storage_reads_total", 10, 52},
                      DiskCase{"disk_queue", "storage_queue_limit_requests", 64, 2},
                      DiskCase{"disk_inflight", "storage_reads_in_flight_requests", 2, 2}),
    [](const auto& one) { return std::string(one.param.collector); });

// The fact of a disk that is forgotten at once has an end, too.
TEST(ReleasedChannels, WhatWasSaidOfADiskEndsWithIt) {
  TestHost host(*find_collector("disk_queue"));
  Volumes volumes(host);
  volumes.attach(0, 256);
  ASSERT_TRUE(host.open());
  host.tick();
  ASSERT_EQ(host.facts().size(), 256u);
  volumes.attach(1, 256);
  host.tick();  // one too many: it has no room yet
  EXPECT_EQ(host.facts(), std::vector<std::string>{"I/O scheduler of vol0x: "});
  volumes.attach(2, 256);
  host.tick();
  const auto facts = host.facts();
  for (const char* fact : {"I/O scheduler of vol1x: ", "I/O scheduler of vol257x: none"}) {
    EXPECT_EQ(std::count(facts.begin(), facts.end(), fact), 1) << fact;
  }
}

}  // namespace
}  // namespace reveal::collect
