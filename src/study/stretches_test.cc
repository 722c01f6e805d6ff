#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/analyzed.h"

namespace reveal::study {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::vector<Stretch> in_seconds(const std::vector<std::pair<int, int>>& pairs) {
  std::vector<Stretch> out;
  for (const auto& [begin, end] : pairs) out.push_back({begin * kSecond, end * kSecond});
  return out;
}

std::vector<std::pair<int, int>> pairs(const std::vector<Stretch>& stretches) {
  std::vector<std::pair<int, int>> out;
  for (const auto& one : stretches) {
    out.emplace_back(one.begin_ns / kSecond, one.end_ns / kSecond);
  }
  return out;
}

TEST(Stretches, ThoseThatOverlapOrTouchAreOne) {
  EXPECT_THAT(pairs(merged(in_seconds({{7, 9}, {0, 3}, {1, 4}, {4, 6}}))),
              testing::ElementsAre(std::pair(0, 6), std::pair(7, 9)));
}

TEST(Stretches, OneWithinAnotherDoesNotEndIt) {
  EXPECT_THAT(pairs(merged(in_seconds({{0, 9}, {1, 2}}))), testing::ElementsAre(std::pair(0, 9)));
}

TEST(Stretches, CommonTime) {
  const auto a = in_seconds({{0, 3}, {5, 9}});
  const auto b = in_seconds({{2, 6}, {8, 20}});
  EXPECT_EQ(seconds(a), 7);
  EXPECT_EQ(common_seconds(a, b), 3);
  EXPECT_EQ(common_seconds(a, in_seconds({{3, 5}})), 0);
  EXPECT_EQ(common_seconds({}, b), 0);
}

}  // namespace
}  // namespace reveal::study
