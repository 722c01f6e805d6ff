#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <sched.h>

#include "collect/network/qdisc_channels.h"
#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(QdiscCollector, ACapturedTreeIsNotAskedHere) {
  TestHost host(*find_collector("qdisc"));
  host.write("proc/net/dev", "");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

netlink::Qdisc filters(std::string_view kind, std::uint32_t drops) {
  netlink::Qdisc out;
  out.handle = 0xFFFF0000;
  out.place = netlink::Qdisc::Place::kIngress;
  out.kind = kind;
  out.drops = drops;
  out.queued_bytes = 0;
  return out;
}

struct Frames {
  // Returns the channels of a frame with these disciplines of eth0, and their values.
  std::map<std::string, std::uint64_t> with(const std::vector<netlink::Qdisc>& disciplines) {
    frame.validity.assign(frame.validity.size(), model::Validity::kMissing);
    FrameWriter writer(table, frame, "test");
    for (const auto& one : disciplines) channels.set(writer, one);
    std::map<std::string, std::uint64_t> out;
    resets.clear();
    for (std::size_t i = 0; i < table.channel_count(); ++i) {
      const model::ChannelId id(i);
      if (frame.was_read(id)) out[std::string(table.name(id))] = frame.bits[i];
      if (frame.validity[i] == model::Validity::kReset) resets.insert(std::string(table.name(id)));
    }
    return out;
  }

  std::vector<model::MetricDescriptor> metrics = qdisc_metrics();
  model::ChannelTable table;
  model::Frame frame;
  QdiscChannels channels{metrics, "dev=eth0"};
  std::set<std::string> resets;
};

// A filter's drops are none of the send queue's, and clsact's may be of either direction.
TEST(QdiscChannels, FiltersAreTheirOwn) {
  netlink::Qdisc root = filters("fq_codel", 5);
  root.place = netlink::Qdisc::Place::kRoot;
  netlink::Qdisc child = root;
  child.place = netlink::Qdisc::Place::kChild;
  child.drops = 1000;
  Frames frames;
  EXPECT_THAT(frames.with({root, child, filters("ingress", 7)}),
              UnorderedElementsAre(Pair("network_qdisc_drops_total{dev=eth0}", 5),
                                   Pair("network_qdisc_backlog_bytes{dev=eth0}", 0),
                                   Pair("network_qdisc_ingress_drops_total{dev=eth0}", 7)));
  EXPECT_THAT(frames.with({filters("clsact", 9)}),
              UnorderedElementsAre(Pair("network_qdisc_filter_drops_total{dev=eth0}", 9)));
  EXPECT_THAT(frames.resets, UnorderedElementsAre("network_qdisc_filter_drops_total{dev=eth0}"));
  EXPECT_THAT(frames.with({filters("clsact", 10)}),
              UnorderedElementsAre(Pair("network_qdisc_filter_drops_total{dev=eth0}", 10)));
  EXPECT_THAT(frames.resets, ::testing::IsEmpty());
}

// The loopback of a new network namespace has no queue; `tc` is another way to speak to the kernel.
TEST(QdiscCollectorLive, FiltersOfAnInterfaceWithoutAQueue) {
  if (std::system("tc -V > /dev/null 2>&1") != 0) GTEST_SKIP() << "tc is not installed";
  std::optional<std::string> skipped;
  std::vector<std::string> names;
  std::thread elsewhere([&] {
    if (::unshare(CLONE_NEWNET) != 0) {
      skipped = "not root";
    } else if (std::system("tc qdisc add dev lo clsact 2> /dev/null") != 0) {
      skipped = "this kernel has no clsact";
    } else {
      model::ChannelTable channels;
      const auto opened = find_collector("qdisc")->make()->open({}, channels);
      if (!opened) names.push_back(opened.error().message());
      for (std::size_t i = 0; i < channels.channel_count(); ++i) {
        names.emplace_back(channels.name(model::ChannelId(i)));
      }
    }
  });
  elsewhere.join();
  if (skipped) GTEST_SKIP() << *skipped;
  EXPECT_THAT(names, UnorderedElementsAre("network_qdisc_filter_drops_total{dev=lo}"));
}

// The kernel's list of interfaces is another way to ask for their names.
TEST(QdiscCollectorLive, NamesInterfacesOfThisMachine) {
  const auto collector = find_collector("qdisc")->make();
  model::ChannelTable channels;
  const auto opened = collector->open({}, channels);
  if (!opened) {
    ASSERT_EQ(opened.error().kind, base::ErrorKind::kAbsent) << opened.error().message();
    GTEST_SKIP() << opened.error().message();
  }
  std::set<std::string> known;
  for (const auto& entry : fs::directory_iterator("/sys/class/net")) {
    known.insert("dev=" + entry.path().filename().string());
  }
  ASSERT_GT(channels.channel_count(), 0u);
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const std::string name(channels.name(model::ChannelId(i)));
    const auto brace = name.find('{');
    ASSERT_NE(brace, std::string::npos) << name;
    EXPECT_TRUE(known.contains(name.substr(brace + 1, name.size() - brace - 2))) << name;
  }
}

}  // namespace
}  // namespace reveal::collect
