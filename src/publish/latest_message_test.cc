#include "publish/latest_message.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/testing/fake_bus.h"

namespace reveal::publish {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

class Latest : public testing::Test {
 protected:
  void say(const std::string& text, bool at_once = false) {
    message.say(base::Bytes(text.begin(), text.end()), at_once);
  }
  // Lets so many seconds pass, with a round in each.
  void pass(int seconds) {
    for (int s = 0; s < seconds; ++s) {
      now_ns += kSecond_ns;
      message.round(now_ns, publisher, [](const base::Bytes& content) { return content; });
      for (const auto& outcome : publisher.take_outcomes()) EXPECT_TRUE(message.take(outcome));
    }
  }
  std::vector<std::string> kept() const {
    std::vector<std::string> out;
    for (const auto& one : broker.kept) out.emplace_back(one.payload.begin(), one.payload.end());
    return out;
  }

  bus::FakeBroker broker;
  bus::FakePublisher publisher{broker};
  LatestMessage message{"a.subject", "host:fact", 1};
  std::int64_t now_ns = 1'790'000'000 * kSecond_ns;
};

TEST_F(Latest, IsSentOnceAndEachTenMinutesAgain) {
  pass(1);
  EXPECT_THAT(kept(), IsEmpty()) << "it says nothing yet";
  say("a");
  pass(540);
  say("a");
  EXPECT_THAT(kept(), ElementsAre("a"));
  pass(120);
  EXPECT_THAT(kept(), ElementsAre("a", "a"));
  pass(6600);
  EXPECT_THAT(kept(), SizeIs(testing::AllOf(testing::Ge(12u), testing::Le(14u))));
}

TEST_F(Latest, WhatChangesAllTheTimeIsSentEachTenSeconds) {
  for (int s = 0; s < 31; ++s) {
    say(std::to_string(s));
    pass(1);
  }
  EXPECT_THAT(kept(), ElementsAre("0", "10", "20", "30"));
}

TEST_F(Latest, WithoutWhichOthersAreNotUnderstoodDoesNotWait) {
  for (const auto* text : {"a", "b", "c"}) {
    say(text, true);
    pass(1);
  }
  EXPECT_THAT(kept(), ElementsAre("a", "b", "c"));
}

TEST_F(Latest, AloneIsSentToABrokerThatWasAway) {
  say("a");
  pass(1);
  broker.is_away = true;
  for (int s = 0; s < 3000; ++s) {
    say(std::to_string(s));
    pass(1);
  }
  EXPECT_EQ(publisher.counts().waiting, 1u);
  broker.is_away = false;
  publisher.deliver();
  pass(20);
  EXPECT_THAT(kept(), ElementsAre("a", "9", "2999"));
}

TEST_F(Latest, IsNotAnothersKind) {
  EXPECT_FALSE(message.take({"host:facts:1", true}));
  EXPECT_TRUE(message.take({"host:fact:1", true}));
}

}  // namespace
}  // namespace reveal::publish
