// Which alerts each of several analysers states, and what receivers learn of them.
#include "analyser/alert_desk.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alert/board.h"
#include "analyser/testing/many_analysers.h"

namespace reveal::analyser {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;
using ::testing::SizeIs;

// What a webhook and an Alertmanager are told by one analyser.
class Told {
 public:
  explicit Told(Analyser& analyser) : analyser_(analyser) {}

  void round(std::int64_t now_ns) {
    if (const auto lost = analyser_.desk.take_lost(); !lost.empty()) board_.let_go(lost);
    board_.update(analyser_.desk.alerts(), now_ns);
    while (const auto event = board_.next("hook")) {
      board_.note("hook", *event);
      events.push_back(event->id);
    }
    const auto due = board_.due("manager");
    for (const auto& one : due) {
      (one.resolved ? resolved : fires)[alert::fingerprint(one.labels)] = one.begin_ns;
    }
    board_.posted("manager", due);
  }

  std::vector<std::string> events;
  std::map<std::uint64_t, std::int64_t> fires;  // begins, by fingerprint
  std::map<std::uint64_t, std::int64_t> resolved;

 private:
  Analyser& analyser_;
  alert::Board board_{
      {},
      {{"hook", true, alert::Severity::kWarning}, {"manager", false, alert::Severity::kWarning}}};
};

class Alerts : public ManyAnalysers {
 protected:
  Alerts() : ManyAnalysers(9) {
    world.has_receivers = true;
    made.introduce();
  }
  // Has analysers go on until then, and their receivers told.
  void go_on(std::size_t to, const Those& analysers, const std::vector<Told*>& told) {
    while (second < to) {
      run(second + 1, analysers);
      for (auto* one : told) one->round(MadeFleet::end_of(second));
    }
  }
  // The same until something is so.
  template <typename Holds>
  void until(Holds holds, const Those& analysers, const std::vector<Told*>& told) {
    while (!holds() && second < 250) go_on(second + 1, analysers, told);
  }
};

TEST_F(Alerts, AnIncidentIsOneAlertAfterTheHold) {
  Analyser one(world, "one");
  Told told(one);
  until([&] { return !one.news.empty(); }, {&one}, {&told});
  EXPECT_THAT(told.events, IsEmpty()) << "hosts may join";
  go_on(second + 10, {&one}, {&told});
  const auto id = one.news[0].incident.id;
  EXPECT_THAT(told.events, ElementsAre(id + "-open"));
  ASSERT_THAT(one.desk.alerts(), SizeIs(1));
  const auto labels = one.desk.alerts()[0].labels;
  EXPECT_THAT(labels, Contains(Pair("scope", "peer")));
  EXPECT_THAT(labels, Contains(Pair("host", "n02")));
  go_on(330, {&one}, {&told});
  EXPECT_THAT(told.events, ElementsAre(id + "-open", id + "-close"));
  EXPECT_THAT(told.fires, ElementsAre(Key(alert::fingerprint(labels))));
  EXPECT_THAT(told.resolved, ElementsAre(Key(alert::fingerprint(labels))));
}

// F11: a fault of several hosts within ten seconds.
TEST_F(Alerts, HostsThatAreSlowTogetherAreOneAlert) {
  slow = {{1, 200}, {2, 201}, {3, 202}, {4, 203}};
  Analyser one(world, "one");
  Told told(one);
  go_on(230, {&one}, {&told});
  ASSERT_THAT(one.desk.alerts(), SizeIs(1));
  const auto& alert = one.desk.alerts()[0];
  EXPECT_THAT(alert.labels, Contains(Pair("scope", "fleet")));
  EXPECT_THAT(alert.labels, Contains(Pair("severity", "critical")));
  for (const auto* host : {"n01", "n02", "n03", "n04"}) {
    EXPECT_THAT(alert.annotations, Contains(Pair("hosts", HasSubstr(host))));
  }
  go_on(330, {&one}, {&told});
  EXPECT_THAT(told.events, SizeIs(2)) << "it opened and closed";
}

TEST_F(Alerts, WhoTakesOverStatesTheSameAlertAndNobodyIsToldTwice) {
  Analyser one(world, "one");
  Analyser other(world, "other");
  Told told(one);
  Told told_by_other(other);
  go_on(225, {&one, &other}, {&told, &told_by_other});
  EXPECT_THAT(told.events, SizeIs(1));
  EXPECT_THAT(other.desk.alerts(), IsEmpty());
  // One is gone.
  go_on(340, {&other}, {&told_by_other});
  const auto id = one.news[0].incident.id;
  EXPECT_THAT(told_by_other.events, ElementsAre(id + "-close"));
  EXPECT_EQ(told_by_other.fires, told.fires) << "labels and begin are the same";
  EXPECT_THAT(told_by_other.resolved, SizeIs(1));
}

// It may have been killed before the receiver had it; a receiver knows it by the event's id.
TEST_F(Alerts, WhatWasNamedJustBeforeATakeoverIsToldAgainUnderTheSameId) {
  Analyser one(world, "one");
  Analyser other(world, "other");
  Told told(one);
  Told told_by_other(other);
  until([&] { return !told.events.empty(); }, {&one, &other}, {&told, &told_by_other});
  ASSERT_THAT(told.events, SizeIs(1));
  go_on(second + 8, {&other}, {&told_by_other});
  EXPECT_EQ(told_by_other.events, told.events);
  EXPECT_EQ(told_by_other.fires, told.fires);
}

// One that is killed before it said a name leaves that to the other.
TEST_F(Alerts, WhatNobodyAlertedIsAlertedByWhoTakesOver) {
  Analyser one(world, "one");
  Analyser other(world, "other");
  Told told(one);
  Told told_by_other(other);
  until([&] { return !one.news.empty(); }, {&one, &other}, {&told, &told_by_other});
  EXPECT_THAT(told.events, IsEmpty());
  go_on(340, {&other}, {&told_by_other});
  const auto id = one.news.at(0).incident.id;
  EXPECT_THAT(told_by_other.events, ElementsAre(id + "-open", id + "-close"));
}

TEST_F(Alerts, ARestartGoesOnWithTheSameAlert) {
  auto one = std::make_unique<Analyser>(world, "one");
  Told before(*one);
  go_on(230, {one.get()}, {&before});
  ASSERT_THAT(before.events, SizeIs(1));
  const auto id = one->news[0].incident.id;
  one.reset();
  Analyser again(world, "again");
  Told after(again);
  go_on(340, {&again}, {&after});
  EXPECT_THAT(after.events, ElementsAre(id + "-close"));
  EXPECT_EQ(after.fires, before.fires);
}

// Who lost the group says nothing more of it, not even that it is over.
TEST_F(Alerts, WhoLostTheGroupLetsItsAlertsGo) {
  Analyser one(world, "one");
  Analyser other(world, "other");
  Told told(one);
  Told told_by_other(other);
  go_on(225, {&one, &other}, {&told, &told_by_other});
  one.bucket().is_away = true;
  go_on(340, {&one, &other}, {&told, &told_by_other});
  EXPECT_THAT(one.desk.alerts(), IsEmpty());
  EXPECT_THAT(told.events, SizeIs(1));
  EXPECT_THAT(told.resolved, IsEmpty());
}

peers::Incident past_incident(std::int64_t onset_ns, std::int64_t end_ns) {
  peers::Incident out;
  out.id = "5d0c7f0a5c3e9b12";
  out.group = kTrainGroup;
  out.is_open = false;
  out.onset_ns = onset_ns;
  out.end_ns = end_ns;
  out.group_size = 9;
  peers::SlowHost host;
  host.id = host.name = "n02";
  host.onset_ns = onset_ns;
  host.last_ns = end_ns;
  out.hosts.push_back(host);
  return out;
}

TEST(AlertDesk, WhatIsFoundAfterwardsIsAlertedOnlyIfItIsNotHistory) {
  constexpr std::int64_t kMinute_ns = 60 * kSecond_ns;
  const std::int64_t now_ns = MadeFleet::end_of(7200);
  for (const auto& [ago_ns, is_told] :
       {std::pair(14 * kMinute_ns, true), {16 * kMinute_ns, false}}) {
    AlertDesk desk;
    peers::News news;
    news.told = peers::Told::kPast;
    news.incident = past_incident(now_ns - ago_ns - kMinute_ns, now_ns - ago_ns);
    desk.take(news, now_ns);
    EXPECT_EQ(desk.alerts().size(), is_told ? 1u : 0u);
    for (const auto& alert : desk.alerts()) EXPECT_EQ(alert.end_ns, now_ns - ago_ns);
    peers::IncidentBook book;
    desk.round(book, now_ns + 2 * kMinute_ns);
    EXPECT_THAT(desk.alerts(), IsEmpty()) << "by then it is";
  }
}

TEST(AlertDesk, ALongOverIncidentOfAnotherIsNotAlerted) {
  const std::int64_t now_ns = MadeFleet::end_of(7200);
  auto named = past_incident(now_ns - 100 * kSecond_ns, now_ns - 40 * kSecond_ns);
  named.known_as = peers::name_of(named, now_ns - 90 * kSecond_ns);
  auto unnamed = past_incident(now_ns - 100 * kSecond_ns, now_ns - 40 * kSecond_ns);
  unnamed.id = "unnamed";
  auto old = past_incident(now_ns - 200 * kSecond_ns, now_ns - 70 * kSecond_ns);
  old.id = "old";
  old.known_as = named.known_as;
  AlertDesk desk;
  desk.take_over({named, unnamed, old}, now_ns);
  ASSERT_THAT(desk.alerts(), SizeIs(1)) << "its end may not have been told";
  EXPECT_EQ(desk.alerts()[0].id, named.id);
  EXPECT_TRUE(desk.alerts()[0].is_known);
}

}  // namespace
}  // namespace reveal::analyser
