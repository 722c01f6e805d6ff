#include "analyser/stream_clock.h"

#include <gtest/gtest.h>

namespace reveal::analyser {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kS = 1'000 * kMs;
// The broker's clock, of 2023; the steady clock counts from when the machine began.
constexpr std::int64_t kBroker_ns = 1'700'000'000 * kS;
constexpr std::int64_t kSteady_ns = 5'000 * kS;

TEST(StreamClock, KnowsNothingBeforeTheFirstMessage) {
  const StreamClock clock;
  EXPECT_EQ(clock.now_ns(kSteady_ns), std::nullopt);
  EXPECT_FALSE(clock.is_late());
}

TEST(StreamClock, GoesOnWithoutMessagesByTheShortestDelay) {
  StreamClock clock;
  clock.take(kBroker_ns, 0, kSteady_ns + 200 * kMs);
  clock.take(kBroker_ns + kS, 0, kSteady_ns + kS + 10 * kMs);
  clock.take(kBroker_ns + 2 * kS, 0, kSteady_ns + 2 * kS + 500 * kMs);
  EXPECT_FALSE(clock.is_late());
  // It was 10 ms behind at best, so it is by 10 ms now.
  EXPECT_EQ(clock.now_ns(kSteady_ns + 7 * kS), kBroker_ns + 7 * kS - 10 * kMs);
}

TEST(StreamClock, IsLateIfMessagesComeLaterThanTheyDid) {
  StreamClock clock;
  clock.take(kBroker_ns, 0, kSteady_ns);
  clock.take(kBroker_ns + kS, 0, kSteady_ns + 3 * kS);
  EXPECT_FALSE(clock.is_late());
  clock.take(kBroker_ns + 2 * kS, 0, kSteady_ns + 6 * kS);
  EXPECT_TRUE(clock.is_late());
  clock.take(kBroker_ns + 7 * kS, 0, kSteady_ns + 7 * kS + kMs);
  EXPECT_FALSE(clock.is_late());
}

// One that begins gets 15 minutes of ten hosts at once; by their times alone none is late.
TEST(StreamClock, IsLateWhileTheBrokerHasMore) {
  StreamClock clock;
  const std::int64_t all = 15 * 60 * 10;
  for (std::int64_t i = 0; i < all; ++i) {
    clock.take(kBroker_ns + i * kS / 10, static_cast<std::uint64_t>(all - 1 - i),
               kSteady_ns + i * kMs / 100);
    if (i < all - 41) {
      EXPECT_TRUE(clock.is_late()) << i;
    }
    if (i < all - 1) {
      EXPECT_EQ(clock.now_ns(kSteady_ns), std::nullopt);
    }
  }
  EXPECT_FALSE(clock.is_late());
  const auto end_ns = kSteady_ns + all * kMs / 100;
  EXPECT_NEAR(static_cast<double>(*clock.now_ns(end_ns) - kBroker_ns) / 1e9, 900, 0.2);
}

// The broker's clock loses a second an hour against the steady one.
TEST(StreamClock, FollowsAClockThatDrifts) {
  StreamClock clock;
  for (std::int64_t i = 0; i < 4 * 3600; ++i) {
    clock.take(kBroker_ns + i * kS - i * kS / 3600, 0, kSteady_ns + i * kS);
    ASSERT_FALSE(clock.is_late()) << i;
  }
}

}  // namespace
}  // namespace reveal::analyser
