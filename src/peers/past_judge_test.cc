#include "peers/past_judge.h"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

// Seconds of before, those that nobody heard, and those of after.
constexpr std::size_t kGapFrom = 300;
constexpr std::size_t kGapTo = 420;
constexpr std::size_t kSince = 560;

struct LateMessage {
  std::string host;
  wire::Bytes payload;
};

// A fleet that was not heard for two minutes, and is again.
class Past : public testing::Test {
 protected:
  explicit Past(std::size_t hosts = 9) : lab(hosts) {}

  void SetUp() override {
    lab.made.introduce();
    lab.run(0, kGapFrom, usual_level);
    lab.run(kGapTo, kSince, usual_level);
    ASSERT_THAT(lab.news, IsEmpty());
  }
  // What the hosts but some tell late, in the order of the seconds.
  std::vector<LateMessage> told_late(const MadeFleet::Level& level,
                                     const std::set<std::size_t>& without = {}) {
    std::vector<LateMessage> out;
    MadeFleet late(lab.made.hosts(), made_dictionary(),
                   [&](const std::string& subject, const wire::Bytes& payload, std::int64_t) {
                     out.push_back({wire::sender_of(subject)->host, payload});
                   });
    for (std::size_t s = kGapFrom; s < kGapTo; ++s) {
      for (std::size_t i = 0; i < late.hosts(); ++i) {
        if (!without.contains(i)) late.send_late(i, s, level, MadeFleet::end_of(kSince));
      }
    }
    return out;
  }
  std::vector<Incident> judged(const std::vector<LateMessage>& messages) {
    PastJudge judge(*lab.fleet.find_group("role=train"), MadeFleet::end_of(kSince - 1));
    for (const auto& one : messages) {
      const auto taken = judge.take(one.host, one.payload);
      EXPECT_TRUE(taken) << taken.error().message();
    }
    auto out = judge.finish();
    seconds = judge.judged();
    return out;
  }
  static MadeFleet::Level slow(std::size_t host, std::size_t from, std::size_t to) {
    return spliced({host}, kRetransmits, 0.04F, from, to);
  }

  Lab lab;
  std::size_t seconds = 0;
};

TEST_F(Past, ASlowHostIsFoundAsItWouldHaveBeenWhenItWasNow) {
  const auto found = judged(told_late(slow(4, 340, 370)));
  // The same seconds, heard.
  Lab heard(9);
  heard.made.introduce();
  heard.run(0, kSince, slow(4, 340, 370));
  const auto closed = heard.of(Told::kClosed);
  ASSERT_THAT(closed, SizeIs(1));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, closed[0].incident.id);
  EXPECT_EQ(found[0].onset_ns, MadeFleet::begin_of(340));
  EXPECT_EQ(found[0].end_ns, closed[0].incident.end_ns);
  EXPECT_EQ(sentence(found[0]), sentence(closed[0].incident));
  EXPECT_FALSE(found[0].is_open);
  EXPECT_GE(seconds, kGapTo - kGapFrom - 2);
}

TEST_F(Past, WhatWasUsualIsStillKnownSoTheFirstSecondsAreJudgedToo) {
  const auto found = judged(told_late(slow(4, kGapFrom, kGapFrom + 20)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_LE(found[0].onset_ns, MadeFleet::begin_of(kGapFrom + 1));
}

TEST_F(Past, AHostThatWasSlowUntilTheEndIsToldWithThatEnd) {
  const auto found = judged(told_late(slow(4, 390, kGapTo)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].end_ns, MadeFleet::begin_of(kGapTo));
  EXPECT_FALSE(found[0].hosts.at(0).has_recovered());
}

TEST_F(Past, AlikeHostsAreNot) {
  EXPECT_THAT(judged(told_late(usual_level)), IsEmpty());
  EXPECT_GE(seconds, kGapTo - kGapFrom - 2);
}

// Those that were heard in time are not here.
TEST_F(Past, NobodyIsAccusedIfAFourthOfTheHostsIsMissing) {
  EXPECT_THAT(judged(told_late(slow(4, 340, 370), {0, 1})), IsEmpty());
  EXPECT_EQ(seconds, 0u);
  EXPECT_THAT(judged(told_late(slow(4, 340, 370), {0})), SizeIs(1));
}

TEST_F(Past, TheGroupItselfLearnsNothing) {
  judged(told_late(slow(4, 340, kGapTo)));
  lab.run(kSince, kSince + 60, slow(4, kSince + 20, kSince + 60));
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_EQ(opened[0].incident.onset_ns, MadeFleet::begin_of(kSince + 20));
}

TEST_F(Past, AMessageOutOfOrderOrOfAnUnknownHostIsLeftOutAndADamagedOneIsSaid) {
  auto messages = told_late(slow(4, 340, 370));
  auto early = messages.front();
  messages.push_back(early);
  early.host = made_id(77);
  messages.push_back(early);
  EXPECT_THAT(judged(messages), SizeIs(1));
  PastJudge judge(*lab.fleet.find_group("role=train"), MadeFleet::end_of(kSince - 1));
  early.payload.resize(early.payload.size() / 2);
  EXPECT_TRUE(judge.take(made_id(77), early.payload));
  const auto taken = judge.take(made_id(1), early.payload);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().kind, base::ErrorKind::kCorrupt);
}

// Eleven seconds without a frame are no end of an incident, and no silence of its hosts.
TEST_F(Past, SecondsThatNobodyHasAreNoEnd) {
  auto messages = told_late(slow(4, 340, 400));
  const auto per_second = lab.made.hosts();
  messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(50 * per_second),
                 messages.begin() + static_cast<std::ptrdiff_t>(61 * per_second));
  const auto found = judged(messages);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].onset_ns, MadeFleet::begin_of(340));
  EXPECT_GE(found[0].end_ns, MadeFleet::begin_of(400));
}

class PastOfTwo : public Past {
 protected:
  PastOfTwo() : Past(2) {}
};

TEST_F(PastOfTwo, NobodyIsNamed) {
  const auto found = judged(told_late(slow(1, 340, 370)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].hosts.at(0).part, Part::kPair);
}

}  // namespace
}  // namespace reveal::peers
