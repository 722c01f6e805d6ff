#include "peers/own_past.h"

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

// Codes are wrong by at most this.
constexpr double kCode = 0.008;

void add_block(OwnPast& past, float middle, float swing, Lesson lesson = Lesson::kAll) {
  for (std::size_t i = 0; i < kWindowsInBlock; ++i) {
    past.add(0, i % 2 == 0 ? middle + swing : middle - swing, lesson);
    EXPECT_EQ(past.end_window(), i + 1 == kWindowsInBlock);
  }
}

OwnPast past_of_a_host() {
  return OwnPast(1, kOffsetBlocks, kSpreadBlocks);
}

TEST(OwnPast, IsKnownAfterTwoMinutes) {
  auto past = past_of_a_host();
  for (std::size_t i = 0; i + 1 < kFewestBlocks; ++i) add_block(past, 10, 2);
  EXPECT_FALSE(past.is_known(0));
  add_block(past, 10, 2);
  ASSERT_TRUE(past.is_known(0));
  EXPECT_NEAR(past.offset(0), 10, 10 * kCode);
  // The largest of each block is 2 from the offset, 0.05 more or less.
  EXPECT_NEAR(past.spread(0), 2 / kTailOfNormal, 0.1);
}

TEST(OwnPast, WhatLastsLessThanHalfDoesNotMoveTheOffset) {
  auto past = past_of_a_host();
  for (std::size_t i = 0; i < kFewestBlocks; ++i) add_block(past, 10, 2);
  add_block(past, 500, 300);
  add_block(past, 500, 300);
  EXPECT_NEAR(past.offset(0), 10, 10 * kCode);
}

TEST(OwnPast, ATenthOfTheBlocksDoesNotMoveTheSpread) {
  auto past = past_of_a_host();
  for (std::size_t i = 0; i < kSpreadBlocks; ++i) add_block(past, 10, i % 10 == 7 ? 60.0F : 2.0F);
  EXPECT_NEAR(past.spread(0), 2 / kTailOfNormal, 0.1);
  add_block(past, 10, 60);
  EXPECT_NEAR(past.spread(0), 60 / kTailOfNormal, 0.6);
}

TEST(OwnPast, FollowsAnOffsetThatStays) {
  auto past = past_of_a_host();
  for (std::size_t i = 0; i < kFewestBlocks; ++i) add_block(past, 10, 2);
  for (std::size_t i = 0; i < kFewestBlocks; ++i) add_block(past, -4, 2);
  EXPECT_NEAR(past.offset(0), -4, 4 * kCode);
}

TEST(OwnPast, FarWindowsTeachTheSpreadAlone) {
  auto past = past_of_a_host();
  for (std::size_t i = 0; i < kFewestBlocks; ++i) add_block(past, 10, 2);
  for (std::size_t i = 0; i < kSpreadBlocks; ++i) add_block(past, 10, 40, Lesson::kSpread);
  EXPECT_NEAR(past.offset(0), 10, 10 * kCode);
  EXPECT_NEAR(past.spread(0), 40 / kTailOfNormal, 0.4);
}

TEST(OwnPast, AlarmsTeachNothing) {
  auto past = past_of_a_host();
  for (std::size_t i = 0; i < kFewestBlocks; ++i) add_block(past, 10, 2);
  for (std::size_t i = 0; i < kSpreadBlocks; ++i) add_block(past, 90, 40, Lesson::kNone);
  EXPECT_NEAR(past.offset(0), 10, 10 * kCode);
  EXPECT_NEAR(past.spread(0), 2 / kTailOfNormal, 0.1);
}

TEST(OwnPast, BlocksWithFewWindowsTellNothing) {
  OwnPast past(2, kOffsetBlocks, kSpreadBlocks);
  for (std::size_t i = 0; i < kFewestBlocks * kWindowsInBlock; ++i) {
    past.add(0, 1, Lesson::kAll);
    if (i % kWindowsInBlock < kFewestInBlock - 1) past.add(1, 1, Lesson::kAll);
    past.end_window();
  }
  EXPECT_TRUE(past.is_known(0));
  EXPECT_FALSE(past.is_known(1));
  past.grow(3);
  EXPECT_TRUE(past.is_known(0));
  EXPECT_EQ(past.offset(0), 1);
  EXPECT_FALSE(past.is_known(2));
}

}  // namespace
}  // namespace reveal::peers
