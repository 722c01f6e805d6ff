#include "publish/event_ledger.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/whole_file.h"
#include "bus/testing/fake_bus.h"

namespace reveal::publish {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using wire::What;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_ns = 1'790'000'000 * kSecond_ns;

// An agent that is started again now and then, and its broker.
class Ledger : public testing::Test {
 protected:
  Ledger() { start(); }
  // As after a kill: what was sent may have arrived, but nobody was told.
  void start() {
    publisher.emplace(broker);
    ledger.emplace(dir.path() / "events");
  }
  static FindingState finding(const char* id, std::uint64_t revision, bool open = true) {
    return {.id = id,
            .revision = revision,
            .open = open,
            .begin_ns = kBegin_ns,
            .end_ns = kBegin_ns + static_cast<std::int64_t>(revision) * kSecond_ns,
            .subsystem = model::Subsystem::kNetwork,
            .severity = "major",
            .claim = "a claim",
            .pattern = "lossy_link",
            .json = "{}"};
  }
  void round(const std::vector<FindingState>& findings) {
    now_ns += kSecond_ns;
    ledger->round(findings, {"host", "rv1.ev.main.host", {}}, now_ns, *publisher);
    answer();
  }
  void answer() {
    for (const auto& outcome : publisher->take_outcomes()) EXPECT_TRUE(ledger->take(outcome));
    ledger->save();
  }
  // Returns the events that the broker has of a finding.
  std::vector<wire::Event> told(const std::string& id = "F1") const {
    std::vector<wire::Event> out;
    for (const auto& one : broker.kept) {
      auto event = wire::read_event(one.payload);
      EXPECT_TRUE(event);
      if (event && event->finding == id) out.push_back(std::move(*event));
    }
    return out;
  }
  std::vector<What> what_was_told(const std::string& id = "F1") const {
    std::vector<What> out;
    for (const auto& event : told(id)) out.push_back(event.what);
    return out;
  }

  base::TempDir dir;
  bus::FakeBroker broker;
  std::optional<bus::FakePublisher> publisher;
  std::optional<EventLedger> ledger;
  std::int64_t now_ns = kBegin_ns;
};

TEST_F(Ledger, TellsThatAFindingOpenedWentOnAndEnded) {
  for (std::uint64_t revision = 1; revision <= 22; ++revision) round({finding("F1", revision)});
  round({finding("F1", 23, false)});
  for (int i = 0; i < 20; ++i) round({finding("F1", 23, false)});
  EXPECT_THAT(what_was_told(),
              ElementsAre(What::kOpened, What::kUpdated, What::kUpdated, What::kClosed));
  const auto events = told();
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].revision, i + 1);
  EXPECT_EQ(events[3].end_ns, kBegin_ns + 23 * kSecond_ns);
  EXPECT_EQ(events[3].severity, wire::Severity::kMajor);
  EXPECT_EQ(events[3].pattern, "lossy_link");
  EXPECT_EQ(events[3].detail, "{}");
  EXPECT_EQ(broker.kept[0].subject, "rv1.ev.main.host");
  EXPECT_EQ(ledger->take_trouble(), "");
}

TEST_F(Ledger, OneThatIsOverWhenItIsToldIsOpenedAndClosed) {
  for (int i = 0; i < 3; ++i) round({finding("F1", 5, false)});
  EXPECT_THAT(what_was_told(), ElementsAre(What::kOpened, What::kClosed));
}

TEST_F(Ledger, WhatItCostIsToldAfterTheEnd) {
  for (int i = 0; i < 3; ++i) round({finding("F1", 5, false)});
  for (int i = 0; i < 12; ++i) round({finding("F1", 6, false)});
  EXPECT_THAT(what_was_told(), ElementsAre(What::kOpened, What::kClosed, What::kClosed));
}

TEST_F(Ledger, KnowsAfterARestartWhatWasTold) {
  round({finding("F1", 1)});
  round({finding("F1", 2, false)});
  EXPECT_THAT(told(), SizeIs(2));
  start();
  for (int i = 0; i < 20; ++i) round({finding("F1", 2, false), finding("F2", 1)});
  EXPECT_THAT(told(), SizeIs(2));
  EXPECT_THAT(what_was_told("F2"), ElementsAre(What::kOpened));
}

TEST_F(Ledger, WhatWasNotAcknowledgedIsToldAgainAfterARestart) {
  round({finding("F1", 1)});
  broker.is_away = true;
  round({finding("F1", 2, false)});
  EXPECT_THAT(told(), SizeIs(1));
  start();
  broker.is_away = false;
  round({finding("F1", 2, false)});
  EXPECT_THAT(what_was_told(), ElementsAre(What::kOpened, What::kClosed));
  EXPECT_EQ(told().back().revision, 3u) << "the broker may have had the second one";
}

// Else the broker would take the end for what it has already.
TEST_F(Ledger, WhatTheBrokerHadWithoutAWordDoesNotHideWhatFollows) {
  now_ns += kSecond_ns;
  ledger->round(std::vector{finding("F1", 1)}, {"host", "rv1.ev.main.host", {}}, now_ns,
                *publisher);
  EXPECT_THAT(told(), SizeIs(1));
  start();  // before the answer was taken
  round({finding("F1", 2, false)});
  round({finding("F1", 2, false)});
  EXPECT_THAT(what_was_told(), ElementsAre(What::kOpened, What::kOpened, What::kClosed));
  EXPECT_EQ(publisher->counts().doubles, 0u);
}

TEST_F(Ledger, ABrokerThatIsAwayGetsOneOfEachFindingThenTheLatest) {
  broker.is_away = true;
  for (std::uint64_t revision = 1; revision <= 100; ++revision) {
    round({finding("F1", revision), finding("F2", revision)});
  }
  EXPECT_EQ(publisher->counts().waiting, 2u);
  broker.is_away = false;
  publisher->deliver();
  answer();
  round({finding("F1", 100), finding("F2", 101, false)});
  EXPECT_THAT(what_was_told(), ElementsAre(What::kOpened, What::kUpdated));
  EXPECT_EQ(told().back().end_ns, kBegin_ns + 100 * kSecond_ns);
  EXPECT_THAT(what_was_told("F2"), ElementsAre(What::kOpened, What::kClosed));
}

TEST_F(Ledger, WhatAPublisherHasNoRoomForComesLater) {
  broker.is_away = true;
  for (std::size_t i = 0; i < bus::SendQueue::kMaxKeyed; ++i) {
    publisher->publish({"other", {}, "other " + std::to_string(i)});
  }
  for (int i = 0; i < 3; ++i) round({finding("F1", 1)});
  broker.is_away = false;
  publisher->deliver();
  publisher->take_outcomes();
  for (int i = 0; i < 10; ++i) round({finding("F1", 1)});
  std::erase_if(broker.kept, [](const auto& one) { return one.subject == "other"; });
  EXPECT_THAT(what_was_told(), ElementsAre(What::kOpened));
}

TEST_F(Ledger, ForgetsWhatIsNotToldOf) {
  round({finding("F1", 1)});
  round({finding("F2", 1)});
  EXPECT_THAT(base::read_whole_file(dir.path() / "events", "file").value(), "F2 1 1 open\n");
}

TEST_F(Ledger, SaysWhatIsWrongWithItsFile) {
  for (const auto* text : {"F1\n", "F1 1 1 ajar\n", "F1 x 1 open\n", " 1 1 open\n", "\n"}) {
    ASSERT_TRUE(base::write_new_file(dir.path() / "events", text));
    start();
    EXPECT_THAT(ledger->take_trouble(), HasSubstr("is not what the agent wrote")) << text;
    EXPECT_THAT(ledger->take_trouble(), IsEmpty());
  }
  ledger.emplace(dir.path() / "none" / "events");
  round({finding("F1", 1)});
  EXPECT_THAT(ledger->take_trouble(), HasSubstr("none"));
  EXPECT_THAT(what_was_told(), ElementsAre(What::kOpened)) << "it is told all the same";
}

}  // namespace
}  // namespace reveal::publish
