#include "base/allowance.h"

#include <gtest/gtest.h>

namespace reveal::base {
namespace {

TEST(Allowance, IsUsedUpAndGrowsAgainToItsMost) {
  Allowance allowance(2, 1000);
  EXPECT_TRUE(allowance.take(5000));
  EXPECT_TRUE(allowance.take(5000));
  EXPECT_FALSE(allowance.take(5000));
  EXPECT_FALSE(allowance.take(5999));
  EXPECT_TRUE(allowance.take(6000));
  EXPECT_FALSE(allowance.take(6000));
  EXPECT_TRUE(allowance.take(100'000));
  EXPECT_TRUE(allowance.take(100'000));
  EXPECT_FALSE(allowance.take(100'000));
}

TEST(Allowance, ToAskTakesNothing) {
  Allowance allowance(1, 1000);
  EXPECT_TRUE(allowance.has(5000));
  EXPECT_TRUE(allowance.has(5000));
  EXPECT_TRUE(allowance.take(5000));
  EXPECT_FALSE(allowance.has(5000));
  EXPECT_FALSE(allowance.has(5999));
  EXPECT_TRUE(allowance.has(6000));
}

TEST(Allowance, WhatIsGivenBackMayHappenAgain) {
  Allowance allowance(1, 1000);
  EXPECT_TRUE(allowance.take(5000));
  allowance.give_back();
  EXPECT_TRUE(allowance.take(5000));
  EXPECT_FALSE(allowance.take(5000));
  allowance.give_back();
  allowance.give_back();
  EXPECT_TRUE(allowance.take(5000));
  EXPECT_FALSE(allowance.take(5000));
}

}  // namespace
}  // namespace reveal::base
