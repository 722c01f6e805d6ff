#include "collect/poll_class.h"

#include <utility>

#include <gmock/gmock.h>

#include "collect/clock_watch.h"
#include "collect/cost_watch.h"

namespace reveal::collect {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(PollClass, PeriodsAreWholeNumbersOfTicks) {
  const PollPlan plan;
  EXPECT_EQ(ticks_between(PollClass::kFast, plan, milliseconds(100)), 1u);
  EXPECT_EQ(ticks_between(PollClass::kMedium, plan, milliseconds(100)), 10u);
  EXPECT_EQ(ticks_between(PollClass::kSlow, plan, milliseconds(100)), 100u);
  EXPECT_EQ(ticks_between(PollClass::kMedium, plan, milliseconds(300)), 3u);
  EXPECT_EQ(ticks_between(PollClass::kMedium, plan, seconds(60)), 1u);
  EXPECT_EQ(period(PollClass::kMedium, plan, seconds(60)), seconds(60));
}

// A window of 3 s has no fewer than ten samples of a quick collector, whatever the interval.
TEST(PollClass, QuickPeriodsAreRoundedDown) {
  const PollPlan plan;
  for (const auto& [interval, ticks] :
       {std::pair(10, 30U), std::pair(50, 6U), std::pair(70, 4U), std::pair(100, 3U),
        std::pair(150, 2U), std::pair(200, 1U), std::pair(250, 1U), std::pair(300, 1U),
        std::pair(600, 1U)}) {
    EXPECT_EQ(ticks_between(PollClass::kQuick, plan, milliseconds(interval)), ticks) << interval;
  }
  EXPECT_EQ(period(PollClass::kQuick, plan, milliseconds(600)), milliseconds(600));
}

TEST(PollClass, QuickReadingsHaveAFifthOfTheBudget) {
  const PollPlan plan;
  const auto of = [&](PollClass poll_class) {
    return reading_budget(poll_class, plan, milliseconds(100));
  };
  EXPECT_EQ(of(PollClass::kFast), std::chrono::microseconds(1000));
  EXPECT_EQ(of(PollClass::kQuick), std::chrono::microseconds(600));
  EXPECT_EQ(of(PollClass::kMedium), milliseconds(10));
  EXPECT_EQ(of(PollClass::kSlow), milliseconds(100));
  EXPECT_EQ(slower(PollClass::kFast), PollClass::kMedium);
  EXPECT_EQ(slower(PollClass::kQuick), PollClass::kMedium);
  EXPECT_EQ(slower(PollClass::kMedium), PollClass::kSlow);
}

TEST(PollClass, TheConfigurationDecidesBeforeTheRegistry) {
  CollectorDescriptor descriptor{"x", "", nullptr, nullptr, PollClass::kMedium};
  EXPECT_EQ(poll_class_of(descriptor, {}), PollClass::kMedium);
  PollPlan plan;
  plan.choices["x"] = PollChoice::kSlow;
  EXPECT_EQ(poll_class_of(descriptor, plan), PollClass::kSlow);
  plan.choices["x"] = PollChoice::kOff;
  EXPECT_EQ(poll_class_of(descriptor, plan), std::nullopt);
  descriptor.opt_in = true;
  EXPECT_EQ(poll_class_of(descriptor, {}), std::nullopt);
  plan.choices["x"] = PollChoice::kFast;
  EXPECT_EQ(poll_class_of(descriptor, plan), PollClass::kFast);
}

TEST(PollClass, WordsAreReadBack) {
  for (const PollClass poll_class :
       {PollClass::kFast, PollClass::kQuick, PollClass::kMedium, PollClass::kSlow}) {
    EXPECT_EQ(static_cast<int>(poll_choice(to_string(poll_class)).value()),
              static_cast<int>(poll_class));
  }
  EXPECT_EQ(poll_choice("off"), PollChoice::kOff);
  EXPECT_EQ(poll_choice("sometimes"), std::nullopt);
}

TEST(CostWatch, OnlyTheCheapestOfSeveralReadingsInARowCounts) {
  CostWatch watch;
  for (int i = 0; i < 100; ++i) {  // every tenth is cheap: interrupted nine times, not dear
    EXPECT_FALSE(watch.add(milliseconds(i % CostWatch::kReadings == 0 ? 1 : 50), milliseconds(2)));
  }
  CostWatch dear;
  for (int i = 1; i < CostWatch::kReadings; ++i) {
    EXPECT_FALSE(dear.add(milliseconds(10 - i % 3), milliseconds(2)));
  }
  EXPECT_EQ(dear.add(milliseconds(20), milliseconds(2)), nanoseconds(milliseconds(8)));
  EXPECT_FALSE(dear.add(milliseconds(20), milliseconds(2)));  // counts anew
}

constexpr std::int64_t kMs = 1'000'000;

ClockReading at_ms(std::int64_t mono, std::int64_t wall, std::int64_t boot) {
  return {.wall = wall * kMs, .mono = mono * kMs, .boot = boot * kMs, .doubt = 0};
}

TEST(ClockWatch, SaysByHowMuchTheRealtimeClockWasSet) {
  ClockWatch watch;
  EXPECT_FALSE(watch.check(at_ms(0, 10'000'000, 500)));
  EXPECT_FALSE(watch.check(at_ms(100, 10'000'100, 600)));
  const auto back = watch.check(at_ms(200, 10'000'200 - 3'600'000, 700));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->by_ns, -3'600'000 * kMs);
  EXPECT_EQ(to_text(*back), "was set back by 3600.000 s");
  EXPECT_FALSE(watch.check(at_ms(300, 10'000'300 - 3'600'000, 800)));
  const auto forward = watch.check(at_ms(400, 10'005'400 - 3'600'000, 900));
  ASSERT_TRUE(forward);
  EXPECT_EQ(to_text(*forward), "was set forward by 5.000 s");
}

TEST(ClockWatch, TellsSleepFromASetClock) {
  ClockWatch watch;
  watch.check(at_ms(0, 1000, 0));
  const auto slept = watch.check(at_ms(100, 1000 + 100 + 8000, 8100));
  ASSERT_TRUE(slept);
  EXPECT_EQ(to_text(*slept), "the machine slept for 8.000 s");
}

TEST(ClockWatch, AnInterruptedReadingIsNoJump) {
  ClockWatch watch;
  watch.check(at_ms(0, 1000, 0));
  auto doubtful = at_ms(100, 1100 + 30, 100);
  doubtful.doubt = 30 * kMs;
  EXPECT_FALSE(watch.check(doubtful));
  EXPECT_FALSE(watch.check(at_ms(200, 1200, 200)));
}

}  // namespace
}  // namespace reveal::collect
