#include "analyser/takeover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/incident_book.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

peers::Incident made(const char* id, const char* host, std::int64_t from_s, std::int64_t to_s,
                     bool is_open = true, std::uint32_t revision = 1) {
  peers::Incident out;
  out.id = id;
  out.group = "role=train";
  out.revision = revision;
  out.is_open = is_open;
  out.onset_ns = from_s * kSecond_ns;
  out.end_ns = to_s * kSecond_ns;
  peers::SlowHost slow;
  slow.id = slow.name = host;
  slow.onset_ns = out.onset_ns;
  slow.last_ns = out.end_ns;
  slow.calm_s = is_open ? 0 : peers::kCalm_s;
  out.hosts.push_back(slow);
  return out;
}

TEST(Takeover, WhatNobodyToldIsTold) {
  const auto out = take_over({}, {made("a", "h", 100, 104)}, {});
  ASSERT_THAT(out.news, SizeIs(1));
  EXPECT_EQ(out.news[0].told, peers::Told::kOpened);
  EXPECT_EQ(out.news[0].incident.id, "a");
}

TEST(Takeover, WhatBeganAndEndedUntoldIsToldInOrder) {
  const auto out = take_over({}, {}, {made("a", "h", 100, 104, false, 2)});
  ASSERT_THAT(out.news, SizeIs(2));
  EXPECT_EQ(out.news[0].told, peers::Told::kOpened);
  EXPECT_TRUE(out.news[0].incident.is_open);
  EXPECT_EQ(out.news[0].incident.revision, 1u);
  EXPECT_EQ(out.news[1].told, peers::Told::kClosed);
  EXPECT_EQ(out.news[1].incident.revision, 2u);
}

TEST(Takeover, WhatWasToldIsNotToldAgain) {
  const auto out = take_over({made("a", "h", 100, 101)}, {made("a", "h", 100, 140)}, {});
  EXPECT_THAT(out.news, IsEmpty());
  ASSERT_THAT(out.go_on, SizeIs(1));
  EXPECT_EQ(out.go_on[0].first, "a");
  EXPECT_THAT(out.resume, IsEmpty());
  EXPECT_THAT(out.drop, IsEmpty());
}

// The other one saw its begin a second before, and told it an hour ago, once.
TEST(Takeover, WhatBeganASecondApartIsTheSame) {
  const auto out = take_over({made("b", "h", 99, 101)}, {made("a", "h", 100, 3700)}, {});
  EXPECT_THAT(out.news, IsEmpty());
  ASSERT_THAT(out.go_on, SizeIs(1));
  EXPECT_EQ(out.go_on[0].first, "a");
  EXPECT_EQ(out.go_on[0].second.id, "b");
}

TEST(Takeover, AnotherHostIsAnotherIncident) {
  const auto out = take_over({made("b", "g", 99, 101)}, {made("a", "h", 100, 140)}, {});
  ASSERT_THAT(out.news, SizeIs(1));
  EXPECT_EQ(out.news[0].incident.id, "a");
  ASSERT_THAT(out.resume, SizeIs(1));
  EXPECT_EQ(out.resume[0].id, "b");
}

TEST(Takeover, AnEndThatNobodyToldIsToldUnderTheIdThatWasTold) {
  const auto out =
      take_over({made("b", "h", 99, 101, true, 3)}, {}, {made("a", "h", 100, 140, false, 2)});
  ASSERT_THAT(out.news, SizeIs(1));
  EXPECT_EQ(out.news[0].told, peers::Told::kClosed);
  EXPECT_EQ(out.news[0].incident.id, "b");
  EXPECT_EQ(out.news[0].incident.revision, 4u);
  EXPECT_EQ(out.news[0].incident.onset_ns, 99 * kSecond_ns);
  EXPECT_EQ(out.news[0].incident.end_ns, 140 * kSecond_ns);
  EXPECT_THAT(out.resume, IsEmpty());
}

TEST(Takeover, AnEndThatWasToldIsNotToldAgain) {
  const auto told = made("b", "h", 99, 140, false, 3);
  EXPECT_THAT(take_over({told}, {}, {made("a", "h", 100, 141, false, 2)}).news, IsEmpty());
  // Here it goes on for a moment more.
  const auto out = take_over({told}, {made("a", "h", 100, 141)}, {});
  EXPECT_THAT(out.news, IsEmpty());
  EXPECT_THAT(out.drop, ElementsAre("a"));
}

TEST(Takeover, WhatGoesOnBeyondAToldEndIsToldAgain) {
  const auto told = made("a", "h", 99, 140, false, 3);
  const auto same = take_over({told}, {made("a", "h", 99, 170)}, {});
  ASSERT_THAT(same.go_on, SizeIs(1));
  const auto other = take_over({told}, {made("c", "h", 145, 170)}, {});
  ASSERT_THAT(other.news, SizeIs(1));
  EXPECT_EQ(other.news[0].incident.id, "c");
}

TEST(Takeover, AnOldIncidentOfTheHostIsAnotherOne) {
  const auto out = take_over({made("b", "h", 10, 40, false)}, {made("a", "h", 100, 140)}, {});
  ASSERT_THAT(out.news, SizeIs(1));
  EXPECT_EQ(out.news[0].incident.id, "a");
}

TEST(Takeover, AnIncidentOfAllIsNoneOfAHost) {
  auto all = made("b", "h", 99, 101);
  all.is_of_all = true;
  all.hosts.clear();
  auto later = all;
  later.id = "c";
  later.onset_ns += kSecond_ns;
  EXPECT_THAT(take_over({all}, {made("a", "h", 100, 140)}, {}).go_on, IsEmpty());
  EXPECT_THAT(take_over({all}, {later}, {}).go_on, SizeIs(1));
}

}  // namespace
}  // namespace reveal::analyser
