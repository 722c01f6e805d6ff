#include "peers/own_past.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "peers/testing/plain_past.h"

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

// 0.1 is not a code's number.
TEST(OwnPast, WhatWasSetIsKeptAsCodesOnceABlockIsLearnt) {
  auto past = past_of_a_host();
  past.set(0, 0.1F, 0);
  EXPECT_EQ(past.offset(0), 0.1F);
  add_block(past, 0.1F, 0);
  EXPECT_EQ(past.offset(0), wire::level_of(wire::code_of(0.1F, 1), 1));
}

float random_distance(base::Rng& rng) {
  const auto kind = rng.below(4);
  if (kind < 2) return 0;
  return kind == 2 ? 3.0F : static_cast<float>(20 * rng.uniform() - 10);
}

void expect_as_plain(std::size_t offset_blocks, std::size_t spread_blocks) {
  base::Rng rng(offset_blocks);
  for (int round = 0; round < 20; ++round) {
    OwnPast past(1, offset_blocks, spread_blocks);
    PlainPast plain(offset_blocks, spread_blocks);
    // A course of some quantities: how often a distance is 0, is missing, and teaches less.
    const auto still = rng.below(40);
    const auto missing = rng.below(12);
    for (std::size_t window = 0; window < 2 * spread_blocks * kWindowsInBlock; ++window) {
      const float distance = rng.below(40) < still ? 0 : random_distance(rng);
      const auto lesson = rng.below(50) == 0   ? Lesson::kNone
                          : rng.below(10) == 0 ? Lesson::kSpread
                                               : Lesson::kAll;
      if (rng.below(20) >= missing) {
        past.add(0, distance, lesson);
        plain.add(distance, lesson);
      }
      past.end_window();
      plain.end_window();
      ASSERT_EQ(past.is_known(0), plain.is_known());
      ASSERT_EQ(past.offset(0), plain.offset());
      ASSERT_EQ(past.spread(0), plain.spread());
      ASSERT_EQ(past.lies_at_zero(0), plain.is_known() && plain.offset() == 0);
    }
  }
}

TEST(OwnPast, IsThatOfThePlainReference) {
  expect_as_plain(kOffsetBlocks, kSpreadBlocks);
  expect_as_plain(kHourBlocks, kHourBlocks);
}

// Many quantities that are still, move for a while, and are still again, each at its own time: what
// is learnt stays theirs, and their places go from one to the other.
TEST(OwnPast, PlacesAreThoseOfQuantitiesThatMove) {
  constexpr std::size_t kQuantities = 40;
  constexpr std::size_t kMoves = 50;  // windows
  constexpr std::size_t kCycle = 2 * kSpreadBlocks * kWindowsInBlock;
  base::Rng rng(5);
  OwnPast past(kQuantities, kOffsetBlocks, kSpreadBlocks);
  std::vector<PlainPast> plain(kQuantities, PlainPast(kOffsetBlocks, kSpreadBlocks));
  std::size_t most = 0;
  for (std::size_t window = 0; window < 3 * kCycle; ++window) {
    for (std::size_t i = 0; i < kQuantities; ++i) {
      const auto since = (window + i * kCycle / kQuantities) % kCycle;
      const float distance = since < kMoves ? random_distance(rng) : 0;
      past.add(i, distance, Lesson::kAll);
      plain[i].add(distance, Lesson::kAll);
    }
    past.end_window();
    for (auto& one : plain) one.end_window();
    most = std::max(most, past.moving());
    for (std::size_t i = 0; i < kQuantities; ++i) {
      ASSERT_EQ(past.is_known(i), plain[i].is_known()) << i;
      ASSERT_EQ(past.offset(i), plain[i].offset()) << i;
      ASSERT_EQ(past.spread(i), plain[i].spread()) << i;
    }
  }
  // One is remembered for half of the time.
  EXPECT_GE(most, kQuantities / 2 - 2);
  EXPECT_LE(most, kQuantities / 2 + 6);
}

// As of a dictionary that changes.
TEST(OwnPast, RearrangedItIsTheSame) {
  OwnPast past(4, kOffsetBlocks, kSpreadBlocks);
  const auto learn = [&](OwnPast& one, std::size_t windows, std::size_t moving) {
    for (std::size_t window = 0; window < windows; ++window) {
      for (std::size_t i = 0; i < one.quantities(); ++i) {
        one.add(i, i == moving ? 3.0F : 0.0F, Lesson::kAll);
      }
      one.end_window();
    }
  };
  learn(past, kFewestBlocks * kWindowsInBlock, 1);
  EXPECT_EQ(past.moving(), 1u);
  const std::array<std::int32_t, 4> from{3, -1, 1, 0};
  auto out = past.rearranged(from);
  EXPECT_EQ(out.moving(), 1u);
  EXPECT_EQ(out.offset(2), past.offset(1));
  EXPECT_TRUE(out.lies_at_zero(0));
  EXPECT_TRUE(out.lies_at_zero(3));
  EXPECT_FALSE(out.is_known(1));
  learn(out, kFewestBlocks * kWindowsInBlock, 2);
  EXPECT_EQ(out.offset(2), past.offset(1));
  EXPECT_TRUE(out.is_known(1));
}

}  // namespace
}  // namespace reveal::peers
