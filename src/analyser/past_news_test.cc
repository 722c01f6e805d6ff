#include "analyser/past_news.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::analyser {
namespace {

using peers::Incident;
using peers::kCalm_s;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kSecond = 1'000'000'000;

Incident incident(const std::string& id, const std::string& host, std::int64_t onset_s,
                  std::int64_t end_s, bool is_open = false) {
  Incident out;
  out.id = id;
  out.group = "g";
  out.revision = 3;
  out.is_open = is_open;
  out.onset_ns = onset_s * kSecond;
  out.end_ns = end_s * kSecond;
  peers::SlowHost slow;
  slow.id = host;
  slow.name = host;
  slow.onset_ns = out.onset_ns;
  slow.last_ns = out.end_ns;
  slow.calm_s = is_open ? 0 : kCalm_s;
  out.hosts.push_back(slow);
  return out;
}

TEST(PastNews, WhatNobodyKnewIsTold) {
  const auto out = past_news({incident("a", "n01", 100, 200), incident("b", "n02", 100, 200, true)},
                             {incident("c", "n01", 230, 260), incident("d", "n03", 100, 200)});
  ASSERT_THAT(out.news, SizeIs(2));
  EXPECT_EQ(out.news[0].told, peers::Told::kPast);
  EXPECT_EQ(out.news[0].incident.id, "c");
  EXPECT_EQ(out.news[1].incident.id, "d");
  EXPECT_THAT(out.began_before, IsEmpty());
}

TEST(PastNews, WhatWasToldIsNotToldAgain) {
  const auto out = past_news({incident("a", "n01", 100, 200)},
                             {incident("a", "n01", 101, 199), incident("x", "n01", 150, 202)});
  EXPECT_THAT(out.news, IsEmpty());
  EXPECT_THAT(out.began_before, IsEmpty());
}

// It was told when the broker went, and whether it went on nobody knew.
TEST(PastNews, OneThatLastedLongerIsToldUnderItsIdOnce) {
  const auto out = past_news({incident("a", "n01", 100, 200)},
                             {incident("x", "n01", 202, 250), incident("y", "n01", 255, 300)});
  ASSERT_THAT(out.news, SizeIs(1));
  const auto& told = out.news[0].incident;
  EXPECT_EQ(told.id, "a");
  EXPECT_EQ(told.revision, 5u) << "greater than the one that was told";
  EXPECT_EQ(told.onset_ns, 100 * kSecond);
  EXPECT_EQ(told.end_ns, 300 * kSecond);
  EXPECT_EQ(told.hosts.at(0).last_ns, 300 * kSecond);
  EXPECT_FALSE(told.is_open);
}

TEST(PastNews, OneThatIsOpenBeganEarlier) {
  const auto out = past_news({incident("a", "n01", 200, 210, true)},
                             {incident("x", "n01", 150, 199), incident("y", "n01", 199, 205)});
  EXPECT_THAT(out.news, IsEmpty());
  ASSERT_THAT(out.began_before, SizeIs(1));
  EXPECT_EQ(out.began_before[0].first, "a");
  EXPECT_EQ(out.began_before[0].second.id, "x");
}

TEST(PastNews, OneOfAllIsNoneOfAHost) {
  auto of_all = incident("a", "n01", 100, 200);
  of_all.is_of_all = true;
  of_all.hosts.clear();
  EXPECT_THAT(past_news({of_all}, {incident("x", "n01", 100, 200)}).news, SizeIs(1));
}

}  // namespace
}  // namespace reveal::analyser
