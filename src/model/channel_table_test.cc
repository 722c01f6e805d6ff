#include "model/channel_table.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace reveal::model {
namespace {

MetricDescriptor metric(std::string_view name) {
  MetricDescriptor out;
  out.name = name;
  out.unit = "bytes";
  return out;
}

TEST(ChannelTable, IdsAreDenseAndStable) {
  ChannelTable table;
  const auto dirty = table.add_metric(metric("memory_dirty_bytes"));
  const auto read = table.add_metric(metric("storage_read_sectors_total"));
  EXPECT_EQ(table.add_metric(metric("memory_dirty_bytes")), dirty);
  EXPECT_EQ(table.add_channel(dirty).index(), 0u);
  EXPECT_EQ(table.add_channel(read, "dev=sda").index(), 1u);
  EXPECT_EQ(table.add_channel(read, "dev=sdb").index(), 2u);
  EXPECT_EQ(table.add_channel(read, "dev=sda").index(), 1u);
  EXPECT_EQ(table.metric_count(), 2u);
  EXPECT_EQ(table.channel_count(), 3u);
}

TEST(ChannelTable, NamesRoundTrip) {
  ChannelTable table;
  const auto read = table.add_metric(metric("storage_read_sectors_total"));
  const auto sda = table.add_channel(read, "dev=sda");
  const auto host = table.add_channel(read);
  EXPECT_EQ(table.name(sda), "storage_read_sectors_total{dev=sda}");
  EXPECT_EQ(table.name(host), "storage_read_sectors_total");
  EXPECT_EQ(table.find_channel(table.name(sda)), sda);
  EXPECT_EQ(table.find_channel(table.name(host)), host);
  EXPECT_FALSE(table.find_channel("storage_read_sectors_total{dev=sdb}"));
  EXPECT_FALSE(table.find_channel(""));
}

TEST(ChannelTable, OwnsItsTextAndKeepsItWhenMoved) {
  ChannelTable table;
  {
    std::string name = "a_metric_bytes_with_a_name_too_long_for_small_strings";
    std::string instance = "dev=a_device_with_a_long_name_as_well";
    table.add_channel(table.add_metric(metric(name)), instance);
    name.assign(name.size(), 'x');
    instance.assign(instance.size(), 'x');
  }
  const ChannelTable moved = std::move(table);
  EXPECT_EQ(
      moved.name(ChannelId(0)),
      "a_metric_bytes_with_a_name_too_long_for_small_strings{dev=a_device_with_a_long_name_as_"
      "well}");
}

TEST(ChannelTable, KeepsTheNameOfAnInstanceOnceForAllItsMetrics) {
  constexpr std::size_t kGroups = 1000;
  ChannelTable table;
  const auto first = table.add_metric(metric("cpu_cgroup_busy_seconds_total"));
  const auto second = table.add_metric(metric("memory_cgroup_bytes"));
  for (std::size_t i = 0; i < kGroups; ++i) {
    std::string name = "cg=/kubepods/burstable/pod" + std::to_string(i);
    const auto a = table.add_channel(first, name);
    const auto b = table.add_channel(second, std::string(name));
    EXPECT_EQ(table.channel(a).instance.data(), table.channel(b).instance.data());
  }
  table.add_channel(first);
  EXPECT_EQ(table.channel_count(), 2 * kGroups + 1);
  EXPECT_EQ(table.instance_count(), kGroups);
  const ChannelTable moved = std::move(table);
  EXPECT_EQ(moved.name(ChannelId(3)), "memory_cgroup_bytes{cg=/kubepods/burstable/pod1}");
}

TEST(ChannelTable, ANumberThatIsReleasedIsGivenToTheNextChannel) {
  ChannelTable table;
  const auto used = table.add_metric(metric("memory_cgroup_bytes"));
  const auto stays = table.add_channel(used, "cg=/stays");
  const auto goes = table.add_channel(used, "cg=/goes");
  const auto version = table.version();
  table.release_channel(goes);
  EXPECT_TRUE(table.is_free(goes));
  EXPECT_FALSE(table.is_free(stays));
  EXPECT_GT(table.version(), version);
  EXPECT_EQ(table.generation(goes), 1u);
  EXPECT_FALSE(table.find_channel("memory_cgroup_bytes{cg=/goes}"));
  const auto comes = table.add_channel(used, "cg=/comes");
  EXPECT_EQ(comes, goes);
  EXPECT_EQ(table.generation(goes), 2u);
  EXPECT_EQ(table.name(comes), "memory_cgroup_bytes{cg=/comes}");
  EXPECT_EQ(table.name(stays), "memory_cgroup_bytes{cg=/stays}");
  EXPECT_EQ(table.take_reused(), std::vector{goes});
  EXPECT_TRUE(table.take_reused().empty());
  EXPECT_EQ(table.add_channel(used, "cg=/goes").index(), 2u);
}

TEST(ChannelTable, NamesOfWhatIsGoneTakeNoMemory) {
  ChannelTable table;
  const auto first = table.add_metric(metric("cpu_cgroup_busy_seconds_total"));
  const auto second = table.add_metric(metric("memory_cgroup_bytes"));
  for (std::size_t i = 0; i < 5000; ++i) {
    const std::string name = "cg=/kubepods/burstable/pod" + std::to_string(i);
    const auto a = table.add_channel(first, name);
    const auto b = table.add_channel(second, name);
    table.release_channel(a);
    EXPECT_EQ(table.channel(b).instance, name);  // it is still there for the other one
    table.release_channel(b);
  }
  EXPECT_EQ(table.channel_count(), 2u);
  EXPECT_EQ(table.instance_count(), 0u);
}

TEST(Words, RoundTrip) {
  for (const auto kind : {Kind::kCounter, Kind::kGauge, Kind::kEvent, Kind::kStatic}) {
    Kind back{};
    EXPECT_TRUE(from_string(to_string(kind), back));
    EXPECT_EQ(back, kind);
  }
  for (int i = 0; i < kSubsystemCount; ++i) {
    Subsystem back{};
    EXPECT_TRUE(from_string(to_string(static_cast<Subsystem>(i)), back));
    EXPECT_EQ(static_cast<int>(back), i);
  }
  Scope scope{};
  EXPECT_FALSE(from_string("rack", scope));
}

}  // namespace
}  // namespace reveal::model
