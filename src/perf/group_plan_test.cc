#include "perf/group_plan.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

namespace reveal::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Events = std::vector<std::size_t>;

// Events 0 to 2 have fixed counters of their own, unless the watchdog holds that of 0; the rest
// share so many general ones.
class Core {
 public:
  explicit Core(std::size_t counters, bool watchdog = false)
      : counters_(counters), watchdog_(watchdog) {}

  bool operator()(std::span<const std::size_t> events) const {
    const auto general = std::count_if(events.begin(), events.end(), [&](std::size_t event) {
      return event > 2 || (event == 0 && watchdog_);
    });
    return static_cast<std::size_t>(general) <= counters_;
  }

 private:
  std::size_t counters_;
  bool watchdog_;
};

const Events kBase{0, 1, 2, 3, 4, 5, 6};
const Events kOthers{10, 11, 12, 13, 14};

TEST(GroupPlan, EightCountersHoldTheBaseAndFourMore) {
  const auto plan = plan_groups(kBase, kOthers, {}, Core(8));
  EXPECT_EQ(plan.base, kBase);
  EXPECT_THAT(plan.turns, ElementsAre(ElementsAre(10, 11, 12, 13), ElementsAre(14)));
  EXPECT_THAT(plan.left_out, IsEmpty());
}

TEST(GroupPlan, FourCountersShareTheBaseInPairs) {
  const auto plan = plan_groups(kBase, kOthers, {}, Core(4));
  EXPECT_THAT(plan.base, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(plan.turns, ElementsAre(ElementsAre(5, 6), ElementsAre(10, 11), ElementsAre(12, 13),
                                      ElementsAre(14)));
}

TEST(GroupPlan, TheWatchdogTakesOne) {
  const auto plan = plan_groups(kBase, kOthers, {}, Core(4, true));
  EXPECT_THAT(plan.base, ElementsAre(0, 1, 2));
  EXPECT_THAT(plan.turns,
              ElementsAre(ElementsAre(3, 4, 5), ElementsAre(6, 10, 11), ElementsAre(12, 13, 14)));
}

TEST(GroupPlan, WithoutOthersTheBaseStaysWhole) {
  EXPECT_EQ(plan_groups(kBase, {}, {}, Core(4)).base, kBase);
}

TEST(GroupPlan, WhatFitsNowhereIsLeftOut) {
  const auto fits = [](std::span<const std::size_t> events) {
    return std::count(events.begin(), events.end(), 12u) == 0 && Core(8)(events);
  };
  const auto plan = plan_groups(kBase, kOthers, {}, fits);
  EXPECT_THAT(plan.left_out, ElementsAre(12));
  EXPECT_THAT(plan.turns, ElementsAre(ElementsAre(10, 11), ElementsAre(13, 14)));
}

TEST(GroupPlan, TeamsKeepTogetherAndTurnsAreBounded) {
  Events many(200);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 100 + i;
  const auto plan = plan_groups(kBase, many, {{50, 51, 52, 53, 54}}, Core(8));
  EXPECT_THAT(plan.turns.front(), ElementsAre(50, 51, 52, 53, 54));
  EXPECT_EQ(plan.turns.size(), kMaxTurns);
  std::set<std::size_t> seen(plan.left_out.begin(), plan.left_out.end());
  for (const auto& turn : plan.turns) seen.insert(turn.begin(), turn.end());
  EXPECT_EQ(seen.size(), many.size() + 5);
}

}  // namespace
}  // namespace reveal::perf
