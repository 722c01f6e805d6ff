#include "work/blocks.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace reveal::work {
namespace {

// A host on which control groups come and go; each has the channels of a group's CPU time and
// reads.
class GroupsThatComeAndGo : public ::testing::Test {
 protected:
  static constexpr std::int64_t kTick_ns = 100'000'000;

  // Returns the group's first channel.
  std::size_t add(const std::string& group) {
    const auto first = channels_.channel_count();
    for (const char* name : {"cpu_cgroup_usage_seconds_total", "storage_cgroup_reads_total"}) {
      model::MetricDescriptor metric;
      metric.name = name;
      metric.scope = model::Scope::kCgroup;
      channels_.add_channel(channels_.add_metric(metric), group);
    }
    row_.resize(channels_.channel_count(), kAbsent);
    return first;
  }
  void set(std::size_t first, double value) { row_[first] = row_[first + 1] = value; }
  void second() {
    for (int i = 0; i < 10; ++i) {
      blocks_.add(channels_, sequence_, static_cast<std::int64_t>(sequence_) * kTick_ns, kTick_ns,
                  row_);
      ++sequence_;
    }
    blocks_.keep_last(5);
  }
  // Returns the level of a channel in the latest block, NaN if it is not followed.
  double latest(std::size_t channel) const {
    for (std::size_t i = 0; i < blocks_.candidates().size(); ++i) {
      if (blocks_.candidates()[i].channel != model::ChannelId(channel)) continue;
      return blocks_.levels_of(i, 1).back();
    }
    return kAbsent;
  }

  static constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  model::ChannelTable channels_;
  std::vector<double> row_;
  Blocks blocks_;
  std::uint64_t sequence_ = 0;
};

TEST_F(GroupsThatComeAndGo, AreFollowedHoweverManyThereWere) {
  const auto stays = add("cg=/stays");
  set(stays, 1);
  for (int number = 0; number < 1500; ++number) {
    const auto group = add("cg=/job" + std::to_string(number));
    set(group, number);
    second();
    second();
    second();
    ASSERT_EQ(latest(group), number);
    ASSERT_EQ(latest(stays), 1);
    set(group, kAbsent);
  }
  EXPECT_LE(blocks_.candidates().size(), kMostCandidates);
  EXPECT_EQ(blocks_.levels_of(0, 1).size(), blocks_.finished().size());
}

TEST_F(GroupsThatComeAndGo, OneThatComesBackIsFollowedAgain) {
  const auto back = add("cg=/back");
  set(back, 7);
  second();
  set(back, kAbsent);
  std::size_t last = 0;
  for (std::size_t number = 0; number < kMostCandidates; ++number) {
    last = add("cg=/job" + std::to_string(number));
    set(last, 1);
    second();
    if (number + 3 < kMostCandidates) set(last, kAbsent);
  }
  EXPECT_TRUE(std::isnan(latest(back)));
  set(back, 8);
  second();
  second();
  second();
  EXPECT_EQ(latest(back), 8);
  EXPECT_EQ(latest(last), 1);
}

// As many as are followed, all of them there: nobody is dropped for one that comes.
TEST_F(GroupsThatComeAndGo, ThatAreThereKeepTheirPlaces) {
  std::vector<std::size_t> groups;
  for (std::size_t number = 0; number < kMostCandidates; ++number) {
    groups.push_back(add("cg=/job" + std::to_string(number)));
    set(groups.back(), static_cast<double>(number));
  }
  second();
  second();
  second();
  for (std::size_t i = 0; i < kMostCandidates / 2; ++i) {
    ASSERT_EQ(latest(groups[i]), static_cast<double>(i));
  }
  EXPECT_TRUE(std::isnan(latest(groups.back())));
}

}  // namespace
}  // namespace reveal::work
