#include "peers/recent_rise.h"

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

constexpr double kLimit = 1;
constexpr double kLeast = 2;

// Returns whether a brief rise ended in one of so many windows.
bool take(RecentRise& rise, int windows, double level) {
  bool out = false;
  for (int i = 0; i < windows; ++i) out = rise.take(level, kLimit, kLeast) || out;
  return out;
}

TEST(RecentRise, GoesOnWhileThreeOfFiveWindowsAreBeyond) {
  RecentRise rise;
  EXPECT_EQ(rise.since(), -1);
  take(rise, 2, 3);
  EXPECT_TRUE(rise.is_beyond());
  EXPECT_FALSE(rise.goes_on());
  take(rise, 1, 3);
  EXPECT_TRUE(rise.goes_on());
  EXPECT_EQ(rise.since(), 2);
  take(rise, 2, 0);
  EXPECT_FALSE(rise.is_beyond());
  EXPECT_TRUE(rise.goes_on());
  EXPECT_EQ(rise.since(), 4);
  take(rise, 1, 0);
  EXPECT_FALSE(rise.goes_on());
}

TEST(RecentRise, BeyondIsAboveTheLimitAndTheLeastRise) {
  RecentRise rise;
  rise.take(1.9, 1, 2);
  EXPECT_FALSE(rise.is_beyond());
  rise.take(2, 1, 2);
  EXPECT_TRUE(rise.is_beyond());
  rise.take(2, 2, 2);
  EXPECT_FALSE(rise.is_beyond());
}

TEST(RecentRise, LastsIfTwelveOfSixteenWindowsAreBeyond) {
  RecentRise rise;
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(rise.lasts()) << i;
    take(rise, 1, 0);
    take(rise, 3, 3);
  }
  EXPECT_TRUE(rise.lasts());
  EXPECT_EQ(rise.since(), 14);
  take(rise, 1, 0);
  EXPECT_FALSE(rise.lasts()) << "not in a window in which it has faded";
  EXPECT_EQ(rise.since(), 15);
  take(rise, 1, 3);
  EXPECT_TRUE(rise.lasts());
  take(rise, 2, 0);
  EXPECT_FALSE(rise.lasts());
}

// Nine tenths of it are left from window to window, as of what is filtered once.
TEST(RecentRise, WhatDiesAwayDoesNotLast) {
  RecentRise rise;
  double level = 40;
  for (; level >= kLeast; level *= 0.9) {
    rise.take(level, kLimit, kLeast);
    EXPECT_FALSE(rise.lasts()) << level;
  }
  EXPECT_TRUE(rise.goes_on());
  // It comes back to what it was, and stays.
  take(rise, 12, 40);
  EXPECT_TRUE(rise.lasts());
}

TEST(RecentRise, APeakHidesWhatStaysForSomeSecondsAlone) {
  RecentRise rise;
  take(rise, 2, 9);
  int windows = 2;
  for (; !rise.lasts() && windows < 100; ++windows) take(rise, 1, 3);
  // By hand: 9 * .98^n / 2 <= 3 from n = 21 on.
  EXPECT_EQ(windows, 2 + 21);
  // The peak is forgotten with the last window that was beyond.
  take(rise, 16, 0);
  EXPECT_TRUE(rise.is_at_rest());
  take(rise, 12, 3);
  EXPECT_TRUE(rise.lasts());
}

TEST(RecentRise, AQuarterOfTheLeastRiseThatIsOverInTimeIsBrief) {
  RecentRise rise;
  EXPECT_FALSE(rise.take(1.5, 1, 6.1));  // less than a quarter
  EXPECT_FALSE(rise.take(0, 1, 6.1));
  EXPECT_FALSE(rise.take(1.5, 1, 6));
  EXPECT_TRUE(rise.take(0, 1, 6));
  EXPECT_FALSE(rise.take(0, 1, 6));
  EXPECT_FALSE(rise.take(5, 6, 6));  // within its limit
  EXPECT_FALSE(rise.take(0, 6, 6));
}

TEST(RecentRise, ARiseIsNotOverWhenItsLimitGrows) {
  RecentRise rise;
  EXPECT_FALSE(rise.take(3, 1, 2));
  EXPECT_FALSE(rise.take(6, 7, 2));
  EXPECT_FALSE(rise.take(9, 7, 2));
  EXPECT_TRUE(rise.take(0.4, 7, 2));
}

TEST(RecentRise, WhatLastsIsNotBrief) {
  RecentRise rise;
  EXPECT_FALSE(take(rise, kLongestBrief_s, 3));
  EXPECT_TRUE(take(rise, 1, 0));
  EXPECT_FALSE(take(rise, kLongestBrief_s + 1, 3));
  EXPECT_FALSE(take(rise, 1, 0));
  EXPECT_FALSE(take(rise, 400, 3));
  EXPECT_FALSE(take(rise, 1, 0));
}

}  // namespace
}  // namespace reveal::peers
