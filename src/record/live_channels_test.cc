#include "record/live_channels.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "record/gone_channels.h"

namespace reveal::record {
namespace {

using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::SourceId;
using model::Validity;

using Values = std::map<std::string, std::uint64_t>;

// A sampler whose groups come and go.
class Sampled {
 public:
  Sampled() {
    host_.name = "cpu_load";
    host_.collector = "loadavg";
    used_.name = "memory_cgroup_bytes";
    used_.collector = "cgroup";
    table_.add_channel(table_.add_metric(host_));
  }

  void come(const std::string& group) {
    groups_.emplace(group, table_.add_channel(table_.add_metric(used_), "cg=/" + group));
  }
  void go(const std::string& group) {
    table_.release_channel(groups_.at(group));
    groups_.erase(group);
  }

  // The next frame: all channels have values but those of `silent`.
  const Frame& tick(const std::vector<std::string>& silent = {}) {
    ++frame_.sequence;
    frame_.mono_ns += 100;
    frame_.read_ns = {frame_.mono_ns - 1, frame_.mono_ns - 2};
    frame_.resize(table_.channel_count());
    for (auto& validity : frame_.validity) validity = Validity::kMissing;
    frame_.set_u64(ChannelId(0), frame_.sequence);
    for (const auto& [group, id] : groups_) {
      const bool is_silent = std::find(silent.begin(), silent.end(), group) != silent.end();
      if (!is_silent) frame_.set_u64(id, 10 * frame_.sequence + group.size());
    }
    return frame_;
  }

  const ChannelTable& table() const { return table_; }

 private:
  model::MetricDescriptor host_;
  model::MetricDescriptor used_;
  ChannelTable table_;
  std::map<std::string, ChannelId> groups_;
  Frame frame_;
};

Values values_of(const ChannelTable& table, const Frame& frame) {
  Values out;
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    const ChannelId id(i);
    if (frame.validity[i] != Validity::kMissing) out[table.name(id)] = frame.bits[i];
  }
  return out;
}

TEST(LiveChannels, AsLongAsNothingGoesTheyAreTheSamplersOwn) {
  Sampled host;
  LiveChannels live;
  host.come("a");
  const Frame& frame = host.tick();
  EXPECT_EQ(&live.apply(host.table(), frame), &frame);
  host.come("b");
  const Frame& next = host.tick({"b"});
  EXPECT_EQ(&live.apply(host.table(), next), &next);
  EXPECT_EQ(live.channels().channel_count(), 3u);
  EXPECT_EQ(live.channels().name(ChannelId(2)), "memory_cgroup_bytes{cg=/b}");
}

TEST(LiveChannels, ANumberThatTheSamplerGivesAgainIsAnotherChannel) {
  Sampled host;
  LiveChannels live;
  std::vector<std::string> names;
  for (int i = 0; i < 50; ++i) {
    const auto name = std::string(static_cast<std::size_t>(i + 1), 'g');
    host.come(name);
    const Frame& frame = host.tick();
    const Frame& out = live.apply(host.table(), frame);
    EXPECT_EQ(values_of(live.channels(), out), values_of(host.table(), frame));
    for (std::size_t k = 0; k < names.size(); ++k) {
      EXPECT_EQ(live.channels().name(ChannelId(k)), names[k]);
    }
    for (std::size_t k = names.size(); k < live.channels().channel_count(); ++k) {
      names.push_back(live.channels().name(ChannelId(k)));
    }
    if (i % 3 == 0) host.go(name);
  }
  EXPECT_LT(host.table().channel_count(), names.size());
}

TEST(LiveChannels, AChannelThatComesBackHasItsNumberAgain) {
  Sampled host;
  LiveChannels live;
  host.come("a");
  host.come("b");
  live.apply(host.table(), host.tick());
  host.go("a");
  host.come("c");  // gets the number of a
  live.apply(host.table(), host.tick());
  host.come("a");
  const Frame& out = live.apply(host.table(), host.tick());
  EXPECT_EQ(live.channels().channel_count(), 4u);
  EXPECT_EQ(live.channels().find_channel("memory_cgroup_bytes{cg=/a}"), ChannelId(1));
  EXPECT_EQ(out.validity[1], Validity::kFresh);
}

TEST(LiveChannels, NumberedAnewAreThoseThatHaveValues) {
  Sampled host;
  LiveChannels live;
  for (const char* group : {"a", "b", "c"}) host.come(group);
  live.apply(host.table(), host.tick());
  host.go("b");
  live.number_anew();
  const Frame& frame = host.tick({"c"});
  const Frame& out = live.apply(host.table(), frame);
  EXPECT_EQ(live.channels().channel_count(), 2u);
  EXPECT_EQ(values_of(live.channels(), out), values_of(host.table(), frame));
  // One that was silent is there once it has a value.
  const Frame& later = host.tick();
  EXPECT_EQ(values_of(live.channels(), live.apply(host.table(), later)),
            values_of(host.table(), later));
  EXPECT_EQ(live.channels().channel_count(), 3u);
}

TEST(LiveChannels, ReadingTimesAreThoseOfTheirCollectors) {
  Sampled host;
  LiveChannels live;
  host.come("a");
  live.apply(host.table(), host.tick());
  live.number_anew();
  const Frame& frame = host.tick();
  const Frame& out = live.apply(host.table(), frame);
  ASSERT_EQ(live.channels().source_count(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const bool groups = live.channels().source_name(SourceId(i)) == "cgroup";
    EXPECT_EQ(out.read_ns_of(SourceId(i)), frame.mono_ns - (groups ? 2 : 1));
  }
}

Frame frame_of(std::size_t with_values, std::size_t without) {
  Frame out;
  out.resize(with_values + without);
  for (std::size_t i = 0; i < with_values; ++i) out.set_u64(ChannelId(i), 1);
  return out;
}

TEST(GoneChannels, AreManyIfTheyAreMoreThanAFewAndAThird) {
  GoneChannels gone;
  gone.see(frame_of(100, GoneChannels::kFew));
  EXPECT_FALSE(gone.are_many());
  gone.forget();
  gone.see(frame_of(100, GoneChannels::kFew + 1));
  EXPECT_TRUE(gone.are_many());
  gone.forget();
  gone.see(frame_of(2 * GoneChannels::kFew + 10, GoneChannels::kFew + 1));
  EXPECT_FALSE(gone.are_many());
  EXPECT_FALSE(GoneChannels().are_many());
}

TEST(GoneChannels, AChannelIsThereIfItHadAValueOnce) {
  GoneChannels gone;
  gone.see(frame_of(GoneChannels::kFew + 10, 0));
  gone.see(frame_of(0, GoneChannels::kFew + 10));
  EXPECT_FALSE(gone.are_many());
  gone.forget();
  gone.see(frame_of(0, GoneChannels::kFew + 10));
  EXPECT_TRUE(gone.are_many());
}

}  // namespace
}  // namespace reveal::record
