#include "bus/outbox.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/testing/fake_bus.h"

namespace reveal::bus {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

constexpr milliseconds kNow{0};

Outgoing level(int number) {
  return {"rv1.lvl.main.h", {static_cast<std::uint8_t>(number)}, {}};
}
Outgoing event(const std::string& key) {
  return {"rv1.ev.main.h", {1}, key};
}

Outgoing past(const std::string& key) {
  return {
      .subject = "rv1.late.main.h", .payload = {1}, .key = key, .name = {}, .of_the_past = true};
}

// An outbox whose pauses are over at once.
class OutboxTest : public testing::Test {
 protected:
  // Takes the next message into flight, at a place of its own.
  const void* send() {
    auto message = outbox.next(kNow);
    if (!message) return nullptr;
    sent.push_back(*message);
    places.push_back(std::make_unique<char>());
    outbox.begin(places.back().get(), std::move(*message));
    return places.back().get();
  }
  void expect_all_accounted_for() {
    const auto counts = outbox.counts();
    EXPECT_EQ(counts.taken,
              counts.acknowledged + counts.lost() + counts.given_back + counts.waiting);
  }

  Outbox outbox{1, kNow, kNow};
  std::vector<Outgoing> sent;
  std::vector<std::unique_ptr<char>> places;
};

TEST_F(OutboxTest, SendsEventsFirstAndAllInTheirOrder) {
  for (int i = 0; i < 3; ++i) outbox.push(level(i));
  outbox.push(event("a"));
  outbox.push(event("b"));
  while (send() != nullptr) {
  }
  ASSERT_THAT(sent, SizeIs(5));
  EXPECT_EQ(sent[0].key, "a");
  EXPECT_EQ(sent[1].key, "b");
  for (std::size_t i = 2; i < 5; ++i) EXPECT_EQ(sent[i].payload.at(0), i - 2);
}

TEST_F(OutboxTest, OfTooManyLevelsTheOldestGoAndOfTooManyEventsTheNewestAreNotTaken) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(outbox.push(level(i)));
  EXPECT_EQ(outbox.counts().let_go, 36u);
  EXPECT_EQ(outbox.next(kNow)->payload.at(0), 36);
  Outbox other(1, kNow, kNow);
  for (int i = 0; i < 1024; ++i) EXPECT_TRUE(other.push(event(std::to_string(i))));
  EXPECT_FALSE(other.push(event("one more")));
  EXPECT_EQ(other.counts().taken, 1024u);
  EXPECT_TRUE(other.push(level(1)));
}

TEST_F(OutboxTest, TellsWhatBecameOfEvents) {
  for (const auto* key : {"a", "b", "c"}) outbox.push(event(key));
  outbox.push(level(1));
  outbox.end(send(), Answer::kStored);
  outbox.end(send(), Answer::kStoredBefore);
  outbox.end(send(), Answer::kRefused, "too long");
  EXPECT_EQ(outbox.trouble(), "too long");
  outbox.end(send(), Answer::kStored);
  EXPECT_EQ(outbox.trouble(), "");
  EXPECT_THAT(outbox.take_outcomes(),
              ElementsAre(AllOf(Field(&Outcome::key, "a"), Field(&Outcome::acknowledged, true)),
                          AllOf(Field(&Outcome::key, "b"), Field(&Outcome::acknowledged, true)),
                          AllOf(Field(&Outcome::key, "c"), Field(&Outcome::acknowledged, false))));
  EXPECT_THAT(outbox.take_outcomes(), IsEmpty());
  const auto counts = outbox.counts();
  EXPECT_EQ(counts.acknowledged, 3u);
  EXPECT_EQ(counts.doubles, 1u);
  EXPECT_EQ(counts.refused, 1u);
  expect_all_accounted_for();
}

TEST_F(OutboxTest, WhatIsNotAnsweredIsSentAgainIfItHasAKey) {
  outbox.push(event("a"));
  outbox.push(level(1));
  outbox.end(send(), Answer::kNone, "silence");
  EXPECT_EQ(outbox.trouble(), "silence");
  const auto* again = send();
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(sent.back().key, "a");
  EXPECT_THAT(sent.back().payload, SizeIs(1));
  outbox.end(send(), Answer::kNone);
  EXPECT_EQ(outbox.counts().unanswered, 1u);
  EXPECT_EQ(send(), nullptr);
  outbox.end(again, Answer::kStored);
  expect_all_accounted_for();
}

TEST_F(OutboxTest, TellsWhichNamedLevelsTheBrokerHas) {
  for (const auto* name : {"1", "2", "3"}) {
    auto message = level(1);
    message.name = name;
    outbox.push(std::move(message));
  }
  outbox.end(send(), Answer::kStored);
  outbox.end(send(), Answer::kNone, "silence");
  send();
  outbox.disconnect("gone");
  EXPECT_THAT(outbox.take_outcomes(),
              ElementsAre(AllOf(Field(&Outcome::key, "1"), Field(&Outcome::acknowledged, true))));
}

TEST_F(OutboxTest, WhatIsOverIsSentLastAndFew) {
  for (std::size_t i = 0; i < SendQueue::kMaxPast; ++i) {
    EXPECT_TRUE(outbox.push(past(std::to_string(i))));
  }
  EXPECT_FALSE(outbox.push(past("one more")));
  outbox.push(level(1));
  outbox.push(event("a"));
  for (int i = 0; i < 3; ++i) send();
  EXPECT_EQ(sent[0].key, "a");
  EXPECT_EQ(sent[1].key, "");
  EXPECT_EQ(sent[2].key, "0");
}

// As of a broker without a stream for it.
TEST_F(OutboxTest, WhatIsOverAndNotTakenComesBackAndDelaysNobody) {
  constexpr milliseconds kHour{3'600'000};
  Outbox slow(1, kHour, kHour);
  slow.push(past("a"));
  const char place = 0;
  slow.begin(&place, *slow.next(kNow));
  slow.end(&place, Answer::kNone, "no stream");
  EXPECT_EQ(slow.trouble(), "not connected yet") << "no trouble of its own";
  EXPECT_THAT(slow.take_outcomes(),
              ElementsAre(AllOf(Field(&Outcome::key, "a"), Field(&Outcome::acknowledged, false))));
  slow.push(level(1));
  EXPECT_TRUE(slow.next(kNow)) << "without a pause";
  EXPECT_EQ(slow.counts().lost(), 0u);
  outbox.push(past("b"));
  send();
  outbox.disconnect("gone");
  EXPECT_THAT(outbox.take_outcomes(), SizeIs(1));
  EXPECT_EQ(send(), nullptr) << "it is not sent again from here";
  expect_all_accounted_for();
}

TEST_F(OutboxTest, AfterALossTheEventsGoOnAndThePastDoesNot) {
  outbox.connect();
  outbox.push(event("a"));
  outbox.push(level(1));
  const auto* first = send();
  send();
  outbox.push(level(2));
  outbox.disconnect("gone");
  outbox.push(level(3));
  EXPECT_EQ(outbox.trouble(), "gone");
  // An answer from before is for nobody.
  outbox.end(first, Answer::kStored);
  EXPECT_EQ(outbox.counts().acknowledged, 0u);
  outbox.connect();
  EXPECT_EQ(outbox.trouble(), "");
  EXPECT_EQ(outbox.counts().let_go, 2u);
  EXPECT_EQ(outbox.counts().unanswered, 1u);
  outbox.push(level(4));
  outbox.end(send(), Answer::kStored);
  EXPECT_EQ(sent.back().key, "a");
  send();
  EXPECT_EQ(sent.back().payload.at(0), 4);
  expect_all_accounted_for();
}

TEST_F(OutboxTest, WhatWaitsForTheFirstConnectionIsSent) {
  outbox.push(level(1));
  outbox.connect();
  EXPECT_NE(send(), nullptr);
}

TEST_F(OutboxTest, NoMoreAreInFlightThanABrokerMayLeaveUnanswered) {
  for (int i = 0; i < 200; ++i) {
    outbox.push(level(i));
    send();
  }
  EXPECT_THAT(places, SizeIs(Outbox::kMaxInFlight));
  EXPECT_EQ(send(), nullptr);
  expect_all_accounted_for();
  outbox.end(places.front().get(), Answer::kStored);
  EXPECT_NE(send(), nullptr);
}

TEST_F(OutboxTest, MessagesThatFailTogetherAreOneFailure) {
  constexpr milliseconds kLongest{3'600'000};
  Outbox slow(1, milliseconds(1), kLongest);
  std::vector<char> all(40);
  for (auto& place : all) {
    slow.push(level(1));
    slow.begin(&place, *slow.next(milliseconds(1000)));
  }
  for (auto& place : all) slow.end(&place, Answer::kNone, "silence");
  // Forty failures in a row would be a pause of an hour.
  slow.push(level(2));
  EXPECT_TRUE(slow.next(milliseconds(60'000)));
}

TEST_F(OutboxTest, WhatIsForbiddenIsTheTroubleUntilItIsTaken) {
  outbox.connect();
  outbox.push(level(1));
  const auto* place = send();
  outbox.forbid("Permissions Violation for Publish to \"rv1.lvl.main.h\"");
  outbox.end(place, Answer::kNone, "the broker does not answer");
  EXPECT_THAT(outbox.trouble(), testing::HasSubstr("publish rv1.lvl.main.h: let it publish "
                                                   "\"rv1.*.*.h\""));
  outbox.push(event("a"));
  outbox.push(level(2));
  std::this_thread::sleep_for(milliseconds(5));  // the pause
  outbox.end(send(), Answer::kStored);
  EXPECT_THAT(outbox.trouble(), testing::HasSubstr("rv1.lvl.main.h"));
  outbox.end(send(), Answer::kStored);
  EXPECT_EQ(outbox.trouble(), "");
}

TEST_F(OutboxTest, WhoWaitsIsWokenByAMessageAndByTheEnd) {
  std::optional<Outgoing> got;
  std::thread waiting([&] { got = outbox.next(milliseconds(60'000)); });
  outbox.push(level(7));
  waiting.join();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->payload.at(0), 7);
  std::thread ended([&] { got = outbox.next(milliseconds(60'000)); });
  outbox.stop();
  ended.join();
  EXPECT_FALSE(got);
}

TEST(FakeBus, KeepsOneOfEachKeyAndGivesAllToEach) {
  FakeBroker broker;
  FakePublisher publisher(broker);
  FakeSubscriber one(broker);
  FakeSubscriber other(broker);
  publisher.publish(event("a"));
  publisher.publish(event("a"));
  publisher.publish(level(1));
  EXPECT_EQ(publisher.counts().doubles, 1u);
  EXPECT_THAT(one.take(kNow), SizeIs(2));
  broker.is_away = true;
  publisher.publish(level(2));
  publisher.publish(event("b"));
  EXPECT_THAT(one.take(kNow), IsEmpty());
  broker.is_away = false;
  publisher.deliver();
  EXPECT_EQ(publisher.counts().let_go, 1u);
  EXPECT_THAT(one.take(kNow), SizeIs(1));
  EXPECT_THAT(other.take(kNow), SizeIs(3));
}

}  // namespace
}  // namespace reveal::bus
