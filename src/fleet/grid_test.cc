#include "fleet/grid.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::fleet {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kS = 1'000'000'000;

Recorded host(const char* name, std::int64_t begin_s, std::int64_t end_s,
              std::int64_t interval_ns = kS / 10) {
  return {name, begin_s * kS, end_s * kS - interval_ns, interval_ns};
}

TEST(Quorum, IsMoreThanHalfAndAtLeastThree) {
  EXPECT_EQ(quorum(2), 2u);
  EXPECT_EQ(quorum(3), 3u);
  EXPECT_EQ(quorum(4), 3u);
  EXPECT_EQ(quorum(5), 3u);
  EXPECT_EQ(quorum(9), 5u);
}

TEST(CommonGrid, OfTwoIsWhatBothHave) {
  const auto grid = common_grid(std::vector{host("a", 100, 200), host("b", 150, 260)});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->begin_ns, 150 * kS);
  EXPECT_EQ(grid->end_ns(), 200 * kS);
  EXPECT_EQ(grid->buckets, 50u);
  EXPECT_EQ(grid->windows(), 48u);
}

TEST(CommonGrid, IsOfWholeSeconds) {
  const auto grid = common_grid(std::vector<Recorded>{{"a", 100 * kS + 1, 200 * kS + 7, kS / 10},
                                                      {"b", 90 * kS, 300 * kS, kS / 10}});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->begin_ns, 101 * kS);
  EXPECT_EQ(grid->end_ns(), 200 * kS);
}

TEST(CommonGrid, OneOfFourMayEndEarly) {
  const auto grid = common_grid(
      std::vector{host("a", 0, 200), host("b", 0, 200), host("c", 0, 200), host("d", 0, 50)});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->end_ns(), 200 * kS);
}

TEST(CommonGrid, TakesTheLongestInterval) {
  const auto grid =
      common_grid(std::vector{host("a", 0, 900), host("b", 0, 900, 15 * kS), host("c", 0, 900)});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->bucket_ns, 15 * kS);
  EXPECT_EQ(grid->buckets, 60u);
}

TEST(CommonGrid, LongTimesGetLongerBuckets) {
  const auto grid = common_grid(std::vector{host("a", 0, 86'400), host("b", 0, 86'400)});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->bucket_ns, 24 * kS);
  EXPECT_EQ(grid->buckets, 3600u);
}

TEST(CommonGrid, RefusesOneHost) {
  const auto grid = common_grid(std::vector{host("a", 0, 100)});
  ASSERT_FALSE(grid);
  EXPECT_EQ(grid.error().kind, base::ErrorKind::kUsage);
}

TEST(CommonGrid, RefusesHostsOfOtherTimes) {
  const auto two = common_grid(std::vector{host("a", 0, 100), host("b", 100, 200)});
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(two.error().message(), HasSubstr("no time in common"));
  const auto one = common_grid(
      std::vector{host("a", 0, 100), host("b", 0, 100), host("late", 200, 300), host("d", 0, 100)});
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().kind, base::ErrorKind::kUsage);
  EXPECT_EQ(one.error().where, "late");
}

TEST(CommonGrid, RefusesTooLittle) {
  const auto grid = common_grid(std::vector{host("a", 0, 100), host("b", 89, 200)});
  ASSERT_FALSE(grid);
  EXPECT_EQ(grid.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_TRUE(common_grid(std::vector{host("a", 0, 100), host("b", 88, 200)}));
}

TEST(Grid, BucketsBeforeItAreNegative) {
  const Grid grid{100 * kS, kS, 10};
  EXPECT_EQ(grid.bucket_of(100 * kS), 0);
  EXPECT_EQ(grid.bucket_of(101 * kS - 1), 0);
  EXPECT_EQ(grid.bucket_of(100 * kS - 1), -1);
  EXPECT_EQ(grid.bucket_of(99 * kS), -1);
  EXPECT_EQ(grid.bucket_of(99 * kS - 1), -2);
}

}  // namespace
}  // namespace reveal::fleet
