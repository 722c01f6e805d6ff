#include "analyser/lag_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::analyser {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr std::int64_t kSecond = 1'000'000'000;

// Returns how often it tells anything from second `from` to `to`, if it is late in each, or in
// none.
int lines(LagWatch& watch, bool is_late, std::int64_t from, std::int64_t to) {
  int out = 0;
  for (auto s = from; s < to; ++s) out += watch.take(is_late, s * kSecond) ? 1 : 0;
  return out;
}

TEST(LagWatch, TellsOnceThatItIsLateAndOnceThatItIsOver) {
  LagWatch watch;
  EXPECT_EQ(lines(watch, false, 0, 100), 0);
  EXPECT_EQ(lines(watch, true, 100, 110), 0);
  EXPECT_THAT(watch.take(true, 110 * kSecond), Optional(HasSubstr("more than 3 s late")));
  EXPECT_EQ(lines(watch, true, 111, 300), 0);
  EXPECT_EQ(lines(watch, false, 300, 309), 0);
  EXPECT_THAT(watch.take(false, 309 * kSecond), Optional(HasSubstr("in time")));
  EXPECT_EQ(lines(watch, false, 310, 400), 0);
  EXPECT_EQ(lines(watch, true, 400, 420), 1);
}

TEST(LagWatch, AMomentIsNotWorthALine) {
  LagWatch watch;
  EXPECT_EQ(lines(watch, true, 0, 5), 0);
  EXPECT_EQ(lines(watch, false, 5, 20), 0);
  EXPECT_EQ(lines(watch, true, 20, 25), 0);
  EXPECT_EQ(lines(watch, false, 25, 200), 0);
}

// It is late all the while, though single messages come in time.
TEST(LagWatch, MessagesInTimeBetweenLateOnesDoNotEndIt) {
  LagWatch watch;
  int told = 0;
  for (std::int64_t s = 0; s < 60; ++s) told += watch.take(s % 3 != 0, s * kSecond) ? 1 : 0;
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace reveal::analyser
