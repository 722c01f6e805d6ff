#include "peers/run_watch.h"

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

bool is_other(RunWatch& watch, std::uint64_t run, std::int64_t second) {
  return watch.take(run, static_cast<std::uint64_t>(second), second * kSecond).other_run;
}

TEST(RunWatch, ARecordingThatBeginsAnewIsNoSecondHost) {
  RunWatch watch;
  EXPECT_FALSE(is_other(watch, 1, 0));
  EXPECT_FALSE(is_other(watch, 1, 1));
  EXPECT_FALSE(watch.is_unsure(kSecond));
  EXPECT_TRUE(is_other(watch, 2, 2));
  EXPECT_FALSE(is_other(watch, 2, 3));
  EXPECT_FALSE(watch.is_doubled(3 * kSecond));
  EXPECT_TRUE(watch.is_unsure(3 * kSecond));
  EXPECT_FALSE(watch.is_unsure(5 * kSecond));
}

TEST(RunWatch, ARunThatComesBackIsOfAnotherHost) {
  RunWatch watch;
  is_other(watch, 1, 0);
  is_other(watch, 2, 1);
  is_other(watch, 1, 2);
  EXPECT_TRUE(watch.is_doubled(2 * kSecond));
  EXPECT_TRUE(watch.is_doubled(61 * kSecond));
  EXPECT_FALSE(watch.is_doubled(62 * kSecond));
}

TEST(RunWatch, FourHostsWithOneIdAreSeen) {
  RunWatch watch;
  for (std::uint64_t i = 0; i < 4; ++i) watch.take(i, 0, 0);
  EXPECT_FALSE(watch.is_doubled(0));
  watch.take(0, 1, kSecond);
  EXPECT_TRUE(watch.is_doubled(kSecond));
}

TEST(RunWatch, ARunOfLongAgoIsNoSign) {
  RunWatch watch;
  watch.take(1, 0, 0);
  watch.take(2, 1, kSecond);
  watch.take(1, 2, kSecond + RunWatch::kMemory_ns + 1);
  EXPECT_FALSE(watch.is_doubled(kSecond + RunWatch::kMemory_ns + 1));
}

// Both have the recording that one of them began, so they have one run, and number seconds alike.
TEST(RunWatch, ACopyOfAHostIsSeenThoughItHasTheSameRun) {
  RunWatch watch;
  for (std::uint64_t s = 0; s < 10; ++s) {
    EXPECT_FALSE(watch.take(1, s, static_cast<std::int64_t>(s) * kSecond).went_back);
  }
  for (std::int64_t s = 10; s < 14; ++s) {
    watch.take(1, static_cast<std::uint64_t>(s), s * kSecond);
    EXPECT_TRUE(watch.take(1, static_cast<std::uint64_t>(s), s * kSecond + 1).went_back);
    EXPECT_TRUE(watch.is_unsure(s * kSecond + 1));
    EXPECT_EQ(watch.is_doubled(s * kSecond + 1), s >= 12) << s;
  }
}

// A copy whose clock is ahead makes the other one go back.
TEST(RunWatch, ACopyWithAnotherClockIsSeen) {
  RunWatch watch;
  for (std::int64_t s = 10; s < 13; ++s) {
    watch.take(1, static_cast<std::uint64_t>(s), s * kSecond);
    watch.take(1, static_cast<std::uint64_t>(s + 100), s * kSecond + 1);
  }
  watch.take(1, 13, 13 * kSecond);
  EXPECT_TRUE(watch.is_doubled(13 * kSecond));
}

TEST(RunWatch, AClockThatIsSetBackIsNoSecondHost) {
  RunWatch watch;
  watch.take(1, 5000, 0);
  EXPECT_TRUE(watch.take(1, 1400, kSecond).went_back);
  for (std::int64_t s = 2; s < 90; ++s) {
    EXPECT_FALSE(watch.take(1, static_cast<std::uint64_t>(1400 + s), s * kSecond).went_back);
  }
  EXPECT_TRUE(watch.take(1, 1400, 100 * kSecond).went_back);
  EXPECT_FALSE(watch.is_doubled(100 * kSecond));
}

}  // namespace
}  // namespace reveal::peers
