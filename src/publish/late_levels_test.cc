// A made host whose broker goes away and comes back, second by second of made time: what a reader
// of the broker has in the end.
#include "publish/late_levels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "publish/testing/away.h"

namespace reveal::publish {
namespace {

using fleet::kMadeBegin_ns;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class AwayFor : public Away, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Lengths, AwayFor, testing::Values(10, 600, 3600));

TEST_P(AwayFor, AllIsToldNewestFirstWhileTheLevelsOfNowGoOn) {
  const int length = GetParam();
  pass(30);
  lose_broker();
  pass(length);
  EXPECT_EQ(count_late(), 0u);
  return_broker();
  pass(9);
  EXPECT_EQ(count_late(), 0u) << "a fleet does not begin at once";
  pass(length / 6 + 31);
  expect_all_told();
  const auto late = seconds_of(told(true));
  ASSERT_GE(late.size(), static_cast<std::size_t>(length));
  EXPECT_EQ(std::ranges::adjacent_find(late, std::less_equal()), late.end());
  EXPECT_LE(late.back(), 30) << "where it began is the last";
  EXPECT_GE(late.front(), 30 + length - 2) << "its tail is the first";
  // Of now there is one in each second after it, none of them late.
  const auto live = seconds_of(told(false));
  const auto back = std::ranges::find_if(live, [&](auto s) { return s >= 30 + length - 1; });
  for (auto it = back; it != live.end(); ++it) EXPECT_EQ(*it, *back + (it - back));
  EXPECT_LE(most_at_once, LateLevels::kMaxOnTheirWay);
  // Two minutes of small messages, however long it was.
  EXPECT_LT(most_bytes, 120u * 100);
  const auto idle = tape.opened;
  pass(60);
  EXPECT_EQ(tape.opened, idle) << "nothing is read again";
}

TEST_F(Away, ANewHostOwesNothingOfBefore) {
  stop(false);
  pass(100);
  start();
  pass(60);
  EXPECT_THAT(told(true), IsEmpty());
  EXPECT_EQ(tape.opened, 0);
}

// Two minutes are no whole number of these.
TEST_F(Away, LongerBucketsAreWholeOnes) {
  constexpr std::int64_t kBucket_ns = 7 * kAwaySecond_ns;
  made.facts.interval_ns = kBucket_ns;
  start();
  pass(70);
  lose_broker();
  pass(700);
  return_broker();
  pass(200);
  std::set<std::int64_t> times;
  std::set<std::int64_t> late;
  for (const bool is_late : {false, true}) {
    for (const auto& one : told(is_late)) {
      times.insert(one.head.head.time_ns);
      EXPECT_TRUE(!is_late || late.insert(one.head.head.time_ns).second);
    }
  }
  EXPECT_GE(late.size(), 100u);
  for (auto at = times.begin(); std::next(at) != times.end(); ++at) {
    EXPECT_EQ(*std::next(at) - *at, kBucket_ns);
  }
  EXPECT_GT(*times.rbegin(), now_ns() - 2 * kBucket_ns);
}

TEST_F(Away, ARestartWithinItForgetsNothing) {
  pass(30);
  lose_broker();
  pass(200);
  stop(false);
  pass(20);
  start();
  pass(50);
  return_broker();
  pass(120);
  expect_all_told();
}

// What was told since the last save is told once more.
TEST_F(Away, AKillWithinItLosesNothing) {
  pass(30);
  publisher->save();
  pass(20);
  lose_broker();
  pass(100);
  stop(true);
  pass(5);
  start();
  pass(5);
  return_broker();
  pass(100);
  expect_all_told();
  EXPECT_GE(count_late(), 110u);
  EXPECT_LE(count_late(), 135u);
}

TEST_F(Away, AKillBeforeTheFirstSaveLosesNothing) {
  pass(5);
  lose_broker();
  pass(20);
  stop(true);
  pass(5);
  start();
  pass(5);
  return_broker();
  pass(60);
  expect_all_told();
}

TEST_F(Away, ABrokerThatGoesAgainGetsTheRestLater) {
  pass(30);
  lose_broker();
  pass(600);
  return_broker();
  pass(60);
  const auto before = count_late();
  EXPECT_GT(before, 0u);
  EXPECT_LT(before, 600u);
  lose_broker();
  pass(60);
  EXPECT_EQ(publisher->held_bytes(), 0u) << "what is away needs no memory";
  return_broker();
  pass(200);
  expect_all_told();
  EXPECT_LE(count_late(), 672u) << "what it had is not sent again";
}

TEST_F(Away, ABrokerWithoutAStreamForItIsAskedSeldomAndNothingElseSuffers) {
  broker.has_no_past = true;
  pass(30);
  lose_broker();
  pass(60);
  return_broker();
  pass(3600);
  EXPECT_EQ(sent->counts().lost(), 60u);
  EXPECT_EQ(seconds_of(told(false)).back(), static_cast<std::int64_t>(made.next) - 2);
  EXPECT_GT(sent->counts().given_back, 10u);
  EXPECT_LT(sent->counts().given_back, 2000u);
  broker.has_no_past = false;
  pass(120);
  expect_all_told();
}

TEST_F(Away, ABrokerThatAnswersSlowlyIsSentLess) {
  is_slow = true;
  start();
  pass(30);
  lose_broker();
  pass(100);
  return_broker();
  pass(60);
  EXPECT_GT(count_late(), 1u);
  EXPECT_LT(count_late(), 50u) << "240 are sent to a fast one";
  pass(400);
  expect_all_told();
}

TEST_F(Away, WhatTheRecordingLacksIsOwedNoMore) {
  pass(30);
  lose_broker();
  pass(10);
  for (int i = 0; i < 7; ++i) made.skip();
  pass(10);
  return_broker();
  pass(60);
  const auto late = seconds_of(told(true));
  for (std::int64_t s = 40; s < 47; ++s) EXPECT_THAT(late, testing::Not(testing::Contains(s)));
  EXPECT_THAT(late, testing::IsSupersetOf({29, 39, 47, 55}));
  EXPECT_LE(publisher->owed_ns(), 2 * kAwaySecond_ns);
  EXPECT_TRUE(std::ranges::any_of(told(true), [](const auto& one) { return one.head.gap_before; }));
}

// The recorder was away last, and the broker came back with it.
TEST_F(Away, WhatTheRecordingLacksAtTheEndIsOwedNoMore) {
  pass(30);
  lose_broker();
  pass(10);
  for (int i = 0; i < 7; ++i) made.skip();
  return_broker();
  pass(60);
  EXPECT_EQ(count_late(), 10u);
  EXPECT_LE(publisher->owed_ns(), 2 * kAwaySecond_ns);
  const auto idle = tape.opened;
  pass(30);
  EXPECT_EQ(tape.opened, idle);
}

TEST_F(Away, ARecordingThatCannotBeReadIsTriedAgain) {
  pass(30);
  lose_broker();
  pass(20);
  tape.is_broken = true;
  return_broker();
  pass(32);
  EXPECT_EQ(publisher->past_trouble(), "the disk is gone");
  EXPECT_EQ(publisher->trouble(), "") << "all of now is told";
  tape.is_broken = false;
  pass(100);
  EXPECT_EQ(publisher->past_trouble(), "");
  expect_all_told();
}

TEST_F(Away, ARecordingThatCanNeverBeReadIsGivenUp) {
  pass(30);
  lose_broker();
  pass(20);
  tape.is_broken = true;
  return_broker();
  pass(1000);
  EXPECT_EQ(tape.opened, LateLevels::kMostFailures);
  EXPECT_LE(publisher->owed_ns(), 2 * kAwaySecond_ns);
}

// The detectors' words are not in the recording.
TEST_F(Away, AVerdictThatIsStillKnownIsToldAndNoOtherIsMadeUp) {
  pass(30);
  lose_broker();
  pass(40);
  return_broker();
  constexpr auto kSince_ns = kMadeBegin_ns + 50 * kAwaySecond_ns;
  verdict_at = [](std::int64_t end_ns) -> std::optional<HostVerdict> {
    if (end_ns <= kSince_ns) return std::nullopt;
    return HostVerdict{.votes = 3, .strength = 1.5, .shares = {0.2, 0, 0, 0.8, 0}};
  };
  pass(60);
  const auto late = told(true);
  ASSERT_FALSE(late.empty());
  for (const auto& one : late) {
    const bool is_known = one.head.head.time_ns >= kSince_ns;
    EXPECT_EQ(one.head.learning, !is_known);
    EXPECT_EQ(one.head.votes, is_known ? 3 : 0);
    EXPECT_EQ(one.head.strength, is_known ? 1.5F : 0);
  }
}

// Channels of a restarted stream have other places, and one that is gone is in no dictionary.
TEST_F(Away, WhatItsDictionaryDoesNotHaveIsLeftOut) {
  const auto gone = made.add("gone");
  const auto other = made.add("other");
  made.set(gone, 5);
  made.set(other, 64);
  pass(30);
  lose_broker();
  pass(20);
  stop(false);
  made.set(gone, std::nan(""));
  pass(20);
  start();
  return_broker();
  pass(60);
  expect_all_told();
  for (const auto& one : told(true)) {
    EXPECT_THAT(one.levels,
                ElementsAre(testing::Pair("load", testing::_), testing::Pair("other", 64)));
  }
}

TEST_F(Away, NothingIsReadWhileTheBrokerAcknowledgesAll) {
  pass(300);
  EXPECT_EQ(tape.opened, 0);
  EXPECT_THAT(told(true), SizeIs(0));
}

}  // namespace
}  // namespace reveal::publish
