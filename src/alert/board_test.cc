#include "alert/board.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alert/testing/made_alert.h"

namespace reveal::alert {
namespace {

using std::chrono::seconds;
using testing::at;
using ::testing::ElementsAre;
using testing::ended;
using ::testing::IsEmpty;
using testing::labeled;
using testing::made_alert;
using testing::take;

constexpr const char* kHook = "hook";
constexpr const char* kManager = "manager";

// A board with a receiver of each kind, and time that goes on by the second.
class BoardTest : public ::testing::Test {
 protected:
  static std::vector<Subscription> receivers() {
    return {{kHook, true, Severity::kWarning}, {kManager, false, Severity::kWarning}};
  }

  // The alerts are open in each second of [from, to).
  void open(const std::vector<Alert>& alerts, double from, double to) {
    for (double second = from; second < to; ++second) board_.update(alerts, at(second));
  }

  // Returns all events of the receiver as "subsystem kind severity".
  std::vector<std::string> events(const std::string& receiver = kHook) {
    std::vector<std::string> out;
    while (auto event = take(board_, receiver)) {
      out.push_back(event->alert.labels["subsystem"] + " " + std::string(to_string(event->kind)) +
                    " " + event->alert.labels["severity"]);
    }
    return out;
  }

  // Returns what is due as "severity fires" or "severity resolved", and notes it as posted.
  std::vector<std::string> post() {
    const auto due = board_.due(kManager);
    std::vector<std::string> out;
    for (const Posting& posting : due) {
      out.push_back(posting.labels.at("severity") + (posting.resolved ? " resolved" : " fires"));
    }
    board_.posted(kManager, due);
    return out;
  }

  Board board_{BoardOptions{}, receivers()};
};

TEST_F(BoardTest, TellsOfAnAlertOnceAndOfItsEndOnce) {
  open({made_alert("network", at(-2))}, 0, 5);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  open({made_alert("network", at(-2))}, 5, 10);
  EXPECT_THAT(events(), IsEmpty());
  open({}, 10, 39);
  EXPECT_THAT(events(), IsEmpty());  // it may come back
  open({}, 39, 41);
  const auto event = take(board_, kHook);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, EventKind::kClose);
  EXPECT_EQ(event->alert.begin_ns, at(-2));
  EXPECT_EQ(event->alert.end_ns, at(9));  // when it was seen last
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(BoardTest, GoesOnWithTheOldBeginIfItComesBackInTime) {
  open({made_alert("network", at(0))}, 0, 5);
  open({}, 5, 30);
  open({made_alert("network", at(28))}, 30, 60);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  ASSERT_EQ(board_.episodes().size(), 1u);
  EXPECT_EQ(board_.episodes()[0].alert.begin_ns, at(0));
}

TEST_F(BoardTest, IsAnotherAlertIfItComesBackLater) {
  open({made_alert("network", at(0))}, 0, 5);
  open({}, 5, 60);
  open({made_alert("network", at(60))}, 60, 61);
  EXPECT_THAT(events(),
              ElementsAre("network open warning", "network close warning", "network open warning"));
  EXPECT_EQ(board_.firing(), 1u);
}

TEST_F(BoardTest, HoldsBackWhatIsShort) {
  BoardOptions options;
  options.hold = seconds(5);
  board_ = Board(options, receivers());
  open({made_alert("network", at(0))}, 0, 5);
  open({}, 5, 6);
  open({made_alert("network", at(6))}, 6, 11);
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_THAT(post(), IsEmpty());
  open({made_alert("network", at(6))}, 11, 12);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  EXPECT_THAT(post(), ElementsAre("warning fires"));
}

TEST_F(BoardTest, TellsOfAHigherSeverityAndNotOfALower) {
  open({made_alert("network", at(0))}, 0, 2);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  open({made_alert("network", at(0), "critical")}, 2, 4);
  EXPECT_THAT(events(), ElementsAre("network update critical"));
  open({made_alert("network", at(0), "info")}, 4, 6);
  EXPECT_THAT(events(), IsEmpty());
  open({}, 6, 40);
  EXPECT_THAT(events(), ElementsAre("network close critical"));
}

// What somebody was told under some labels is not over because it is called otherwise now.
TEST_F(BoardTest, IsOneAlertWithTheLabelsOfTheFirstTellingWhateverChanges) {
  const auto first = made_alert("storage", at(0));
  auto named = labeled(first, "pattern", "disk_saturated");
  named.annotations["summary"] = "the disk is busy";
  const auto graver = labeled(named, "severity", "critical");
  const auto elsewhere = labeled(graver, "subsystem", "memory");
  std::vector<Event> told;
  std::set<std::string> posted;  // but for the severity
  const auto live = [&](const std::vector<Alert>& alerts, double from, double to) {
    for (double second = from; second < to; ++second) {
      board_.update(alerts, at(second));
      while (auto event = take(board_, kHook)) told.push_back(*event);
      const auto due = board_.due(kManager);
      for (const Posting& posting : due) posted.insert(identity_of(posting.labels));
      board_.posted(kManager, due);
    }
  };
  live({first}, 0, 1);
  live({named}, 1, 40);
  live({graver}, 40, 80);
  live({elsewhere}, 80, 120);
  live({ended(first, at(119))}, 120, 200);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0].kind, EventKind::kOpen);
  EXPECT_EQ(told[1].kind, EventKind::kUpdate);
  EXPECT_EQ(told[1].alert.annotations.at("summary"), "the disk is busy");
  EXPECT_EQ(told[2].kind, EventKind::kClose);
  EXPECT_EQ(told[2].alert.end_ns, at(119));
  for (const Event& event : told) {
    EXPECT_EQ(event.episode, told[0].episode);
    EXPECT_EQ(identity_of(event.alert.labels), identity_of(first.labels));
  }
  EXPECT_THAT(posted, ElementsAre(identity_of(first.labels)));
}

// What is blamed first is the least certain.
TEST_F(BoardTest, LabelsAreThoseOfTheTimeWhenSomebodyIsTold) {
  open({made_alert("cpu", at(0), "info")}, 0, 3);
  EXPECT_THAT(events(), IsEmpty());
  auto alert = made_alert("storage", at(0));
  alert.id = made_alert("cpu", at(0)).id;
  open({alert}, 3, 6);
  EXPECT_THAT(events(), ElementsAre("storage open warning"));
  open({labeled(alert, "subsystem", "cpu")}, 6, 60);
  open({}, 60, 100);
  EXPECT_THAT(events(), ElementsAre("storage close warning"));
}

TEST_F(BoardTest, OneThatEndedIsNotToldAnewUnderOtherLabels) {
  const auto alert = made_alert("storage", at(0));
  open({alert}, 0, 5);
  open({ended(alert, at(4))}, 5, 60);
  EXPECT_THAT(events(), ElementsAre("storage open warning", "storage close warning"));
  open({ended(labeled(alert, "pattern", "disk_saturated"), at(4))}, 60, 120);
  EXPECT_THAT(events(), IsEmpty());
}

// Both were told as one; the second has other labels later.
TEST_F(BoardTest, EachOfThoseThatAreOneKeepsItsLabels) {
  const auto one = made_alert("storage", at(0));
  auto other = made_alert("storage", at(2));
  other.id = "another finding";
  open({one}, 0, 2);
  open({one, other}, 2, 5);
  open({one, labeled(other, "subsystem", "memory")}, 5, 10);
  open({labeled(other, "subsystem", "memory")}, 10, 60);
  EXPECT_EQ(board_.episodes().size(), 1u);
  open({}, 60, 100);
  EXPECT_THAT(events(), ElementsAre("storage open warning", "storage close warning"));
}

TEST_F(BoardTest, KnowsTheLatestOfManyIds) {
  for (int i = 0; i < 100; ++i) {
    auto alert = made_alert("storage", at(i));
    alert.id = std::to_string(i);
    open({alert}, i, i + 1);
  }
  ASSERT_EQ(board_.episodes().size(), 1u);
  const auto& ids = board_.episodes()[0].ids;
  ASSERT_EQ(ids.size(), kMostIds);
  EXPECT_EQ(ids.back(), "99");
}

TEST_F(BoardTest, TellsNothingBelowTheLeastSeverity) {
  open({made_alert("memory", at(0), "info")}, 0, 2);
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_THAT(post(), IsEmpty());
  open({made_alert("memory", at(0), "warning")}, 2, 3);
  EXPECT_THAT(events(), ElementsAre("memory open warning"));
  EXPECT_THAT(post(), ElementsAre("warning fires"));
}

TEST_F(BoardTest, JoinsAlertsOfOneIdentity) {
  board_.update(std::vector{made_alert("network", at(-1)), made_alert("network", at(-5)),
                            made_alert("network", at(-3), "critical")},
                at(0));
  ASSERT_EQ(board_.episodes().size(), 1u);
  EXPECT_EQ(board_.episodes()[0].alert.begin_ns, at(-5));
  EXPECT_THAT(events(), ElementsAre("network open critical"));
}

TEST_F(BoardTest, TellsOfWhatWasOverWhenItWasSeen) {
  const auto over = ended(made_alert("network", at(-8)), at(-5));
  open({over}, 0, 24);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  open({over}, 24, 60);  // it stays in the caller's list, and is one alert
  EXPECT_THAT(events(), ElementsAre("network close warning"));
  EXPECT_EQ(board_.episodes()[0].alert.end_ns, at(-5));
}

TEST_F(BoardTest, KnowsAnEndThatIsStated) {
  open({made_alert("network", at(0))}, 0, 5);
  open({ended(made_alert("network", at(0)), at(3))}, 5, 60);
  EXPECT_THAT(events(), ElementsAre("network open warning", "network close warning"));
  EXPECT_EQ(board_.episodes()[0].alert.end_ns, at(3));
}

TEST_F(BoardTest, HistoryIsNotNews) {
  open({ended(made_alert("network", at(-2000)), at(-901))}, 0, 60);
  EXPECT_TRUE(board_.episodes().empty());
}

TEST_F(BoardTest, AReceiverThatIsBackGetsWhatIsTrueNow) {
  const auto lasting = made_alert("gpu", at(0));
  open({lasting, made_alert("network", at(0))}, 0, 10);
  open({lasting}, 10, 3000);
  open({lasting, made_alert("storage", at(3000))}, 3000, 3010);
  open({lasting}, 3010, 3600);
  // The network's is over for nearly an hour, the storage's for ten minutes.
  EXPECT_THAT(events(),
              ElementsAre("gpu open warning", "storage open warning", "storage close warning"));
  EXPECT_EQ(board_.dropped(kHook), 1u);
}

TEST_F(BoardTest, WhoWasToldThatItIsOpenLearnsOfItsEndHoweverLate) {
  open({made_alert("network", at(0))}, 0, 2);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  open({}, 2, 7200);
  EXPECT_THAT(events(), ElementsAre("network close warning"));
  EXPECT_EQ(board_.dropped(kHook), 0u);
  open({}, 7200, 7201);
  EXPECT_TRUE(board_.episodes().empty());
}

TEST_F(BoardTest, AnEventThatDidNotArriveIsTakenBack) {
  open({made_alert("network", at(0))}, 0, 2);
  auto first = take(board_, kHook);
  ASSERT_TRUE(first);
  EXPECT_FALSE(board_.has_event(kHook));
  board_.withdraw(kHook, *first);
  EXPECT_TRUE(board_.has_event(kHook));
  auto second = take(board_, kHook);
  ASSERT_TRUE(second);
  EXPECT_EQ(first->id, second->id);
  open({made_alert("network", at(0), "critical")}, 2, 4);
  auto rise = take(board_, kHook);
  ASSERT_TRUE(rise);
  EXPECT_NE(rise->id, first->id);
  board_.withdraw(kHook, *rise);
  EXPECT_THAT(events(), ElementsAre("network update critical"));
  open({}, 4, 60);
  auto close = take(board_, kHook);
  ASSERT_TRUE(close);
  board_.withdraw(kHook, *close);
  EXPECT_THAT(events(), ElementsAre("network close critical"));
}

TEST_F(BoardTest, ResendsStateAndItsEnd) {
  const std::vector alerts = {made_alert("network", at(-2))};
  open(alerts, 0, 1);
  const auto due = board_.due(kManager);
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].begin_ns, at(-2));
  EXPECT_EQ(due[0].end_ns, at(120));  // now and four resends
  EXPECT_EQ(due[0].labels.at("severity"), "warning");
  EXPECT_THAT(post(), ElementsAre("warning fires"));
  open(alerts, 1, 30);
  EXPECT_THAT(post(), IsEmpty());
  open(alerts, 30, 31);
  EXPECT_THAT(post(), ElementsAre("warning fires"));

  open({}, 31, 60);
  EXPECT_THAT(post(), IsEmpty());  // it may come back
  open({}, 60, 61);
  const auto over = board_.due(kManager);
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0].end_ns, at(30));
  EXPECT_THAT(post(), ElementsAre("warning resolved"));
  int resolved = 1;
  for (int second = 61; second < 600; ++second) {
    open({}, second, second + 1);
    resolved += static_cast<int>(post().size());
  }
  EXPECT_EQ(resolved, 10);  // five minutes, each 30 s
}

TEST_F(BoardTest, ALeftSeverityEndsAtReceiversOfState) {
  open({made_alert("network", at(0))}, 0, 10);
  EXPECT_THAT(post(), ElementsAre("warning fires"));
  open({made_alert("network", at(0), "critical")}, 10, 12);
  const auto due = board_.due(kManager);
  ASSERT_EQ(due.size(), 2u);
  EXPECT_EQ(due[0].begin_ns, at(0));
  EXPECT_EQ(due[1].end_ns, at(10));
  EXPECT_THAT(post(), ElementsAre("critical fires", "warning resolved"));
}

// Otherwise the end of the old one would end the new one, too.
TEST_F(BoardTest, AnEndIsNotResentWhileTheSameFiresAgain) {
  open({made_alert("network", at(0))}, 0, 10);
  open({}, 10, 45);
  EXPECT_THAT(post(), ElementsAre("warning resolved"));
  open({made_alert("network", at(45))}, 45, 100);
  EXPECT_THAT(post(), ElementsAre("warning fires"));
}

// What is left out because of that is not due either, or it would be posted for ever.
TEST_F(BoardTest, NothingIsDueOnceAllIsPosted) {
  open({made_alert("network", at(0))}, 0, 1);
  open({made_alert("network", at(0), "critical")}, 1, 2);
  open({}, 2, 33);
  open({made_alert("network", at(33), "critical")}, 33, 34);
  EXPECT_THAT(post(), ElementsAre("critical fires"));
  EXPECT_THAT(post(), IsEmpty());
}

TEST_F(BoardTest, NothingEndsWhileNobodyLooks) {
  open({made_alert("network", at(0))}, 0, 10);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  for (int second = 10; second < 300; ++second) board_.unknown(at(second));
  EXPECT_EQ(board_.firing(), 1u);
  open({}, 300, 329);
  EXPECT_THAT(events(), IsEmpty());
  open({}, 329, 331);
  EXPECT_THAT(events(), ElementsAre("network close warning"));
  EXPECT_EQ(board_.episodes()[0].alert.end_ns, at(9));  // when it was seen last
}

TEST_F(BoardTest, TheTimeInWhichNobodyLooksDoesNotCount) {
  open({made_alert("network", at(0))}, 0, 10);
  EXPECT_THAT(events(), ElementsAre("network open warning"));
  open({}, 10, 30);  // missed for 20 s, and then for 10
  for (int second = 30; second < 100; ++second) board_.unknown(at(second));
  open({}, 100, 109);
  EXPECT_THAT(events(), IsEmpty());
  open({}, 109, 110);
  EXPECT_THAT(events(), ElementsAre("network close warning"));
  EXPECT_EQ(board_.episodes()[0].alert.end_ns, at(9));
}

TEST_F(BoardTest, AClockThatIsSetBackMakesNothingLonger) {
  open({made_alert("network", at(7200))}, 7200, 7210);
  EXPECT_THAT(post(), ElementsAre("warning fires"));
  open({made_alert("network", at(7200))}, 0, 29);
  EXPECT_THAT(post(), IsEmpty());
  open({made_alert("network", at(7200))}, 29, 32);
  EXPECT_THAT(post(), ElementsAre("warning fires"));
  open({}, 32, 62);
  EXPECT_THAT(events(), ElementsAre("network open warning", "network close warning"));
}

TEST_F(BoardTest, KeepsItsLimitsWhateverComes) {
  std::vector<Alert> many;
  for (std::size_t i = 0; i < kMostEpisodes + 5; ++i) {
    many.push_back(made_alert("disk" + std::to_string(i), at(0)));
    many.back().finding = std::string(5000, '1');
  }
  board_.update(many, at(0));
  std::size_t bytes = 0;
  for (const auto& episode : board_.episodes()) bytes += bytes_of(episode);
  EXPECT_LE(bytes, kMostBytes);
  EXPECT_EQ(board_.episodes().size(), kMostEpisodes);
  EXPECT_EQ(board_.left_out(), 5u);
  open({}, 1, 40);
  const std::vector later = {made_alert("gpu", at(40))};
  board_.update(later, at(40));
  EXPECT_LE(board_.episodes().size(), kMostEpisodes);
  EXPECT_EQ(board_.dropped(kHook), 1u);  // the oldest of those that ended
  EXPECT_EQ(board_.waiting(kHook), kMostEpisodes);
}

TEST_F(BoardTest, LeavesOutAFindingThatIsTooLong) {
  auto alert = made_alert("network", at(0));
  alert.finding = std::string(kLongestFinding + 1, ' ');
  board_.update(std::vector{alert}, at(0));
  const auto event = take(board_, kHook);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->alert.finding, "");
  EXPECT_EQ(event->alert.annotations.at("summary"), "network is slow");
}

TEST_F(BoardTest, WhatAnotherProgramToldIsNotToldAgainButItsEndIs) {
  auto alert = made_alert("network", at(-60));
  alert.is_known = true;
  open({alert}, 0, 5);
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_THAT(post(), ElementsAre("warning fires"));
  open({}, 5, 60);
  EXPECT_THAT(events(), ElementsAre("network close warning"));
}

TEST_F(BoardTest, WhatAnotherProgramTellsFromNowOnIsForgotten) {
  const auto network = made_alert("network", at(0));
  const auto storage = made_alert("storage", at(0));
  open({network, storage}, 0, 5);
  EXPECT_THAT(events(), ElementsAre("network open warning", "storage open warning"));
  const std::vector<std::string> ids = {network.id};
  board_.let_go(ids);
  open({storage}, 5, 60);
  EXPECT_THAT(events(), IsEmpty());
  open({}, 60, 120);
  EXPECT_THAT(events(), ElementsAre("storage close warning"));
}

TEST_F(BoardTest, AnEpisodeIsCalledAsItsAlertSays) {
  auto alert = made_alert("network", at(0));
  alert.episode = "5d0c7f0a5c3e9b12";
  open({alert}, 0, 5);
  EXPECT_EQ(board_.next(kHook)->id, "5d0c7f0a5c3e9b12-open");
}

}  // namespace
}  // namespace reveal::alert
