// Each answer by hand.
#include "attribute/finding_rule.h"

#include <cmath>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "attribute/merge.h"
#include "detect/threshold.h"

namespace reveal::attribute {
namespace {

window::WindowSpan window_at(std::uint64_t id) {
  const auto begin = static_cast<std::int64_t>(id) * 10;
  return {window::WindowId(id), begin, begin + 30, 0, 0};
}

TEST(FindingRule, AWindowTakesEnoughVotesAfterTheWarmUp) {
  const FindingRule rule{.min_agreement = 3, .warm_up = 5};
  EXPECT_FALSE(rule.flags(window_at(5), 2));
  EXPECT_TRUE(rule.flags(window_at(5), 3));
  EXPECT_TRUE(rule.flags(window_at(5), 6));
  EXPECT_FALSE(rule.flags(window_at(4), 6));
  EXPECT_TRUE(rule.is_warm_up(window_at(4)));
  EXPECT_FALSE(rule.is_warm_up(window_at(5)));
  EXPECT_FALSE(FindingRule{}.is_warm_up(window_at(0)));
}

TEST(FindingRule, WindowsOfARunAreGroupedByTheSameVotesAndWarmUp) {
  feature::FeatureMatrix matrix;
  for (std::uint64_t id = 0; id < 6; ++id) matrix.add_row(window_at(id));
  const std::vector<int> votes{4, 4, 2, 3, 3, 0};
  const auto groups = merge_flagged(matrix, votes, {.min_agreement = 3, .warm_up = 1});
  EXPECT_EQ(groups, (std::vector<std::vector<std::size_t>>{{1, 3, 4}}));
}

TEST(FindingRule, WhatStallsNothingIsAChangeHoweverRareItIs) {
  const FindingRule rule{.most_by_chance = 0.5};
  EXPECT_EQ(rule.kind_of(false), Kind::kChange);
  EXPECT_EQ(rule.kind_of(false, 0.0), Kind::kChange);
  EXPECT_EQ(rule.kind_of(false, 9.0), Kind::kChange);
}

TEST(FindingRule, WhatChanceMakesMoreOftenThanIsPutUpWithHasLowConfidence) {
  const FindingRule rule{.most_by_chance = 0.5};
  EXPECT_EQ(rule.kind_of(true, 0.4), Kind::kFinding);
  EXPECT_EQ(rule.kind_of(true, 0.5), Kind::kFinding);
  EXPECT_EQ(rule.kind_of(true, 0.6), Kind::kLowConfidence);
  EXPECT_EQ(rule.kind_of(true), Kind::kFinding);  // nobody knows how often
  EXPECT_EQ(FindingRule{}.kind_of(true, 1e9), Kind::kFinding);
}

TEST(FindingRule, OnlyAHostThatSaysWhatWaitsTellsThatNothingDid) {
  model::ChannelTable channels;
  const auto add = [&](std::string_view name) {
    model::MetricDescriptor metric;
    metric.name = name;
    channels.add_channel(channels.add_metric(metric));
  };
  add("cpu_busy_ratio");
  EXPECT_FALSE(tells_stalls(channels, true));
  add("cpu_pressure_some_seconds_total");
  add("storage_io_pressure_some_seconds_total");
  EXPECT_TRUE(tells_stalls(channels, true));
  EXPECT_FALSE(tells_stalls(channels, false));
}

// An alarm is at 4, half of it at 2; without an alarm limit 4 is the contamination limit.
TEST(FindingRule, InDoubtWorkIsStalledFromHalfAnAlarmOn) {
  EXPECT_FALSE(detect::says_stalled(2.0, 2, 4));
  EXPECT_TRUE(detect::says_stalled(2.1, 2, 4));
  const double off = std::nan("");
  EXPECT_FALSE(detect::says_stalled(4.0, off, 4));
  EXPECT_TRUE(detect::says_stalled(4.1, off, 4));
}

}  // namespace
}  // namespace reveal::attribute
