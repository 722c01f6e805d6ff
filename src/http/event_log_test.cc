#include "http/event_log.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::http {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kAll = kMostEventBytes;

EventLog::Clock::time_point at(int second) {
  return EventLog::Clock::time_point(seconds(second));
}

std::vector<std::string> texts(const EventBatch& batch) {
  std::vector<std::string> out;
  for (const auto& one : batch.texts) out.push_back(*one);
  return out;
}

TEST(EventLog, NumbersEventsAndTellsThoseAfterAPlace) {
  EventLog log("run");
  EXPECT_THAT(log.after(0, kAll).texts, IsEmpty());
  log.add("window", "{}", at(1));
  log.add("gap", "{\"missed\":2}", at(2));
  EXPECT_EQ(log.newest(), 2U);
  EXPECT_THAT(texts(log.after(0, kAll)),
              ElementsAre("id: run-1\nevent: window\ndata: {}\n\n",
                          "id: run-2\nevent: gap\ndata: {\"missed\":2}\n\n"));
  const auto last = log.after(1, kAll);
  EXPECT_EQ(last.texts.size(), 1U);
  EXPECT_EQ(last.reached, 2U);
  EXPECT_FALSE(log.after(2, kAll).missed);
}

TEST(EventLog, ALineEndInTheDataEndsNothing) {
  EXPECT_EQ(event_text("x", "{\n\"a\":\r\n1}"), "event: x\ndata: { \"a\":  1}\n\n");
}

TEST(EventLog, ReadsIdsOfItsOwnRunOnly) {
  EventLog log("1a2b");
  log.add("window", "{}", at(1));
  EXPECT_EQ(log.number_of("1a2b-1"), 1U);
  EXPECT_EQ(log.number_of("1a2b-0"), 0U);
  for (const auto* other : {"1a2b-2", "1a2b-", "1a2b", "1a2c-1", "-1", "", "1a2b-1x", "1a2b--1"}) {
    EXPECT_FALSE(log.number_of(other)) << other;
  }
}

TEST(EventLog, ForgetsWhatIsOld) {
  EventLog log("run");
  log.add("window", "{}", at(0));
  log.add("window", "{}", at(200));
  log.add("window", "{}", at(400));
  EXPECT_TRUE(log.after(0, kAll).missed);
  EXPECT_EQ(log.after(0, kAll).reached, 3U);
  EXPECT_EQ(log.after(1, kAll).texts.size(), 2U);
}

TEST(EventLog, ForgetsWhatIsTooMuch) {
  EventLog log("run");
  const std::string quarter(kMostEventBytes / 4, 'x');
  for (int i = 0; i < 10; ++i) log.add("window", quarter, at(i));
  EXPECT_TRUE(log.after(6, kAll).missed);
  EXPECT_EQ(log.after(7, kAll).texts.size(), 3U);
  log.add("window", std::string(kMostEventBytes, 'x'), at(10));  // not even this one is kept
  EXPECT_TRUE(log.after(10, kAll).missed);
  EXPECT_FALSE(log.after(11, kAll).missed);
}

TEST(EventLog, TellsInPortions) {
  EventLog log("run");
  for (int i = 0; i < 3; ++i) log.add("window", std::string(1000, 'x'), at(i));
  const auto some = log.after(0, 1500);
  EXPECT_EQ(some.reached, 2U);
  EXPECT_GT(some.waiting_bytes, 1000U);
  EXPECT_EQ(log.after(some.reached, 1500).waiting_bytes, 0U);
}

}  // namespace
}  // namespace reveal::http
