#include "model/channel_filter.h"

#include <string>

#include <gtest/gtest.h>

namespace reveal::model {
namespace {

// Two collectors, each with a metric; channels come in turns.
void grow(ChannelTable& table, std::size_t count) {
  while (table.channel_count() < count) {
    const std::size_t i = table.channel_count();
    MetricDescriptor metric;
    const std::string name = i % 2 == 0 ? "even" : "odd";
    const std::string collector = "reads_" + name;
    metric.name = name;
    metric.collector = collector;
    table.add_channel(table.add_metric(metric), std::to_string(i));
  }
}

Frame frame_of(std::size_t channels) {
  Frame frame;
  frame.sequence = 5;
  frame.mono_ns = 100;
  frame.resize(channels);
  for (std::size_t i = 0; i < channels; ++i) frame.set_u64(ChannelId(i), 10 * i);
  frame.read_ns = {70, 80};
  frame.notes = {{Note::Kind::kEvent, "kmsg", "xid", "79"}};
  return frame;
}

std::vector<bool> keep_odd(const ChannelTable& table) {
  std::vector<bool> keep;
  for (std::size_t i = 0; i < table.channel_count(); ++i) {
    keep.push_back(table.metric(ChannelId(i)).name == "odd");
  }
  return keep;
}

TEST(ChannelFilter, KeepsTheChosenChannelsWithNumbersOfTheirOwn) {
  ChannelTable all;
  grow(all, 5);
  ChannelFilter filter(keep_odd);
  const Frame& got = filter.apply(all, frame_of(5));
  EXPECT_EQ(got.bits, (std::vector<std::uint64_t>{10, 30}));
  EXPECT_EQ(got.sequence, 5u);
  EXPECT_EQ(got.notes.size(), 1u);
  ASSERT_EQ(filter.channels().channel_count(), 2u);
  EXPECT_EQ(filter.channels().name(ChannelId(1)), "odd{3}");
  // The time of its collector, which is the second of all and the only one here.
  EXPECT_EQ(got.read_ns, (std::vector<std::int64_t>{80}));
  EXPECT_EQ(filter.channels().source_name(SourceId(0)), "reads_odd");
}

TEST(ChannelFilter, ChannelsMayAppearLaterAndFramesMayNotHaveThemYet) {
  ChannelTable all;
  grow(all, 2);
  ChannelFilter filter(keep_odd);
  EXPECT_EQ(filter.apply(all, frame_of(2)).bits.size(), 1u);
  grow(all, 6);
  EXPECT_EQ(filter.apply(all, frame_of(2)).bits.size(), 1u);
  EXPECT_EQ(filter.apply(all, frame_of(6)).bits, (std::vector<std::uint64_t>{10, 30, 50}));
}

}  // namespace
}  // namespace reveal::model
