#include "window/tick_history.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::window {
namespace {

constexpr std::int64_t kTick_ns = 100'000'000;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_kept(const model::MetricDescriptor& metric) {
  return metric.name == "kept";
}

class TickHistoryTest : public testing::Test {
 protected:
  model::ChannelId add_channel(std::string_view metric, std::string_view instance = {}) {
    model::MetricDescriptor row;
    row.name = metric;
    return channels.add_channel(channels.add_metric(row), instance);
  }
  void add(std::uint64_t tick, const std::vector<double>& row) {
    history.add(channels, tick, static_cast<std::int64_t>(tick) * kTick_ns, kTick_ns, row);
  }

  model::ChannelTable channels;
  TickHistory history{is_kept};
};

TEST_F(TickHistoryTest, SamplesOfAskedTicksComeWithTheTimeTheyTellOf) {
  const auto other = add_channel("other");
  const auto kept = add_channel("kept");
  for (std::uint64_t tick = 0; tick < 10; ++tick) add(tick, {-1, static_cast<double>(tick)});
  EXPECT_FALSE(history.keeps(other));
  EXPECT_TRUE(history.samples(other, 0, 10).empty());
  const auto samples = history.samples(kept, 3, 6);
  ASSERT_EQ(samples.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(samples[i].value, static_cast<double>(i + 3));
    EXPECT_EQ(samples[i].end_ns, static_cast<std::int64_t>(i + 3) * kTick_ns);
    EXPECT_EQ(samples[i].begin_ns, static_cast<std::int64_t>(i + 2) * kTick_ns);
  }
  EXPECT_TRUE(history.samples(kept, 10, 20).empty());
}

TEST_F(TickHistoryTest, CountsTheTicksThatNeverCame) {
  add_channel("kept");
  for (const std::uint64_t tick : {5U, 6U, 9U, 10U}) add(tick, {1});
  EXPECT_EQ(history.missing(5, 11), 2u);
  EXPECT_EQ(history.missing(7, 9), 2u);
  EXPECT_EQ(history.missing(6, 8), 1u);
  EXPECT_EQ(history.missing(9, 11), 0u);
  EXPECT_EQ(history.missing(0, 7), 0u);  // nothing is known of what was before the first
  history.drop_before(9);
  EXPECT_EQ(history.missing(5, 11), 0u);
}

TEST_F(TickHistoryTest, AValueTellsOfAllTheTimeSinceTheOneBefore) {
  const auto kept = add_channel("kept");
  add(0, {1});
  for (std::uint64_t tick = 1; tick < 5; ++tick) add(tick, {kNan});
  add(5, {2});
  add(9, {3});  // after a gap
  const auto samples = history.samples(kept, 0, 10);
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[1].begin_ns, 0);
  EXPECT_EQ(samples[1].end_ns, 5 * kTick_ns);
  EXPECT_EQ(samples[2].begin_ns, 5 * kTick_ns);
  EXPECT_EQ(samples[2].end_ns, 9 * kTick_ns);
}

TEST_F(TickHistoryTest, ChannelsMayComeLaterAndOldTicksMayGo) {
  const auto first = add_channel("kept", "dev=a");
  for (std::uint64_t tick = 0; tick < 4; ++tick) add(tick, {1});
  const auto second = add_channel("kept", "dev=b");
  for (std::uint64_t tick = 4; tick < 8; ++tick) add(tick, {1, static_cast<double>(tick)});
  EXPECT_EQ(history.samples(second, 0, 8).size(), 4u);
  EXPECT_EQ(history.samples(second, 0, 8).front().value, 4);
  history.drop_before(2);
  EXPECT_EQ(history.tick_count(), 6u);
  EXPECT_EQ(history.samples(first, 0, 8).size(), 6u);
  EXPECT_EQ(history.samples(second, 0, 8).front().value, 4);
  history.drop_before(6);
  EXPECT_EQ(history.samples(first, 0, 8).size(), 2u);
  ASSERT_EQ(history.samples(second, 0, 8).size(), 2u);
  EXPECT_EQ(history.samples(second, 0, 8).front().value, 6);
  history.drop_before(100);
  EXPECT_EQ(history.tick_count(), 0u);
  add(200, {5, 6});
  EXPECT_EQ(history.samples(second, 0, 300).front().value, 6);
}

// Groups come and go for months: each is there for ten ticks, and what is kept is a hundred.
TEST_F(TickHistoryTest, ChannelsThatAreGoneGiveWay) {
  const auto lasting = add_channel("kept", "lasting");
  constexpr std::size_t kGroups = 10'000;
  std::vector<double> row{0};
  std::size_t most = 0;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const auto id = add_channel("kept", std::to_string(group));
    row.back() = group == 0 ? 0 : kNan;
    row.push_back(kNan);
    for (std::uint64_t tick = 10 * group; tick < 10 * (group + 1); tick += 5) {
      row[lasting.index()] = static_cast<double>(tick);
      row[id.index()] = static_cast<double>(group);
      add(tick, row);
      history.drop_before(tick < 100 ? 0 : tick - 100);
    }
    most = std::max(most, history.channel_count());
    ASSERT_TRUE(history.keeps(id));
    ASSERT_EQ(history.samples(id, 0, ~std::uint64_t{0}).size(), 2U);
  }
  EXPECT_LE(most, 13U);
  EXPECT_EQ(history.samples(lasting, 0, ~std::uint64_t{0}).size(), 20U + 1U);
}

TEST_F(TickHistoryTest, AChannelThatIsGoneCostsTheTicksInWhichItWasThere) {
  constexpr std::size_t kTicks = 1000;
  const auto lasting = add_channel("kept", "lasting");
  const auto slow = add_channel("kept", "slow");
  const auto gone = add_channel("kept", "gone");
  for (std::uint64_t tick = 0; tick < kTicks; ++tick) {
    add(tick, {1, tick % 10 == 0 ? 2 : kNan, tick >= 5 && tick < 15 ? 3 : kNan});
  }
  EXPECT_LE(history.value_count(), 2 * kTicks + 10);
  EXPECT_EQ(history.samples(lasting, 0, kTicks).size(), kTicks);
  EXPECT_EQ(history.samples(slow, 0, kTicks).size(), kTicks / 10);
  ASSERT_EQ(history.samples(gone, 0, kTicks).size(), 10U);
  EXPECT_EQ(history.samples(gone, 0, kTicks).front().end_ns, 5 * kTick_ns);
  EXPECT_EQ(history.samples(gone, 0, kTicks).back().end_ns, 14 * kTick_ns);
  EXPECT_EQ(history.samples(gone, 8, 12).size(), 4U);
  EXPECT_TRUE(history.samples(gone, 15, kTicks).empty());
  history.drop_before(10);
  EXPECT_EQ(history.samples(gone, 0, kTicks).size(), 5U);
  history.drop_before(14);
  EXPECT_TRUE(history.keeps(gone));
  history.drop_before(15);
  EXPECT_FALSE(history.keeps(gone));
  EXPECT_EQ(history.samples(slow, 0, kTicks).front().end_ns, 20 * kTick_ns);
}

// One that comes back is kept again.
TEST_F(TickHistoryTest, AChannelMayComeBack) {
  const auto lasting = add_channel("kept", "lasting");
  const auto other = add_channel("kept", "other");
  for (std::uint64_t tick = 0; tick < 5; ++tick) add(tick, {1, 2});
  for (std::uint64_t tick = 5; tick < 10; ++tick) add(tick, {1, kNan});
  EXPECT_TRUE(history.keeps(other));
  history.drop_before(5);
  EXPECT_FALSE(history.keeps(other));
  EXPECT_TRUE(history.samples(other, 0, 100).empty());
  add(10, {1, 7});
  ASSERT_TRUE(history.keeps(other));
  ASSERT_EQ(history.samples(other, 0, 100).size(), 1U);
  EXPECT_EQ(history.samples(other, 0, 100).front().value, 7);
  EXPECT_EQ(history.samples(lasting, 0, 100).size(), 6U);
}

TEST_F(TickHistoryTest, NothingIsKeptUnlessAskedFor) {
  TickHistory none;
  const auto kept = add_channel("kept");
  none.add(channels, 0, 0, kTick_ns, std::vector<double>{1});
  EXPECT_EQ(none.tick_count(), 0u);
  EXPECT_FALSE(none.keeps(kept));
}

}  // namespace
}  // namespace reveal::window
