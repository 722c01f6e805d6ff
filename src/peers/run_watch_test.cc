#include "peers/run_watch.h"

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(RunWatch, ARecordingThatBeginsAnewIsNoSecondHost) {
  RunWatch watch;
  EXPECT_FALSE(watch.take(1, 0));
  EXPECT_FALSE(watch.take(1, kSecond));
  EXPECT_TRUE(watch.take(2, 2 * kSecond));
  EXPECT_FALSE(watch.take(2, 3 * kSecond));
  EXPECT_FALSE(watch.is_doubled(3 * kSecond));
}

TEST(RunWatch, ARunThatComesBackIsOfAnotherHost) {
  RunWatch watch;
  watch.take(1, 0);
  watch.take(2, kSecond);
  watch.take(1, 2 * kSecond);
  EXPECT_TRUE(watch.is_doubled(2 * kSecond));
  EXPECT_TRUE(watch.is_doubled(61 * kSecond));
  EXPECT_FALSE(watch.is_doubled(62 * kSecond));
}

TEST(RunWatch, FourHostsWithOneIdAreSeen) {
  RunWatch watch;
  for (std::uint64_t i = 0; i < 4; ++i) watch.take(i, 0);
  EXPECT_FALSE(watch.is_doubled(0));
  watch.take(0, kSecond);
  EXPECT_TRUE(watch.is_doubled(kSecond));
}

TEST(RunWatch, ARunOfLongAgoIsNoSign) {
  RunWatch watch;
  watch.take(1, 0);
  watch.take(2, kSecond);
  watch.take(1, kSecond + RunWatch::kMemory_ns + 1);
  EXPECT_FALSE(watch.is_doubled(kSecond + RunWatch::kMemory_ns + 1));
}

}  // namespace
}  // namespace reveal::peers
