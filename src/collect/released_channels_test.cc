// Collectors whose devices come and go: a sampler has as many channels as live at once, and what a
// channel says is of its own device, however often its number was another one's.
#include <charconv>
#include <chrono>
#include <deque>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "collect/instance_channels.h"
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

}  // namespace
}  // namespace reveal::collect
