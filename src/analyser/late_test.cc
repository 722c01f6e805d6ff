// What hosts tell late, from a broker in memory to the database.
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyser/loop.h"
#include "base/temp_dir.h"
#include "bus/testing/fake_bus.h"
#include "peers/testing/lab.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;
using peers::MadeFleet;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LateLevels : public testing::Test {
 protected:
  static constexpr std::size_t kHosts = 4;

  void SetUp() override { start(); }
  void start() {
    loop.reset();
    auto ledger = ledger::Ledger::open(file());
    ASSERT_TRUE(ledger) << ledger.error().message();
    AnalyserOutput output;
    output.incident = [this](const peers::News& one) {
      news.push_back(one);
      return base::Result<void>();
    };
    output.notice = [this](std::string_view line) { notices.emplace_back(line); };
    loop = std::make_unique<Loop>(Loop::Subscribers{std::make_unique<bus::FakeSubscriber>(facts),
                                                    std::make_unique<bus::FakeSubscriber>(events),
                                                    std::make_unique<bus::FakeSubscriber>(levels),
                                                    std::make_unique<bus::FakeSubscriber>(late)},
                                  Keeper(std::move(*ledger), [](std::string_view) {}),
                                  std::move(output), [this] { return steady_ns; });
  }
  std::string file() const { return (folder.path() / "fleet.db").string(); }
  std::vector<ledger::Row> rows(const std::string& statement) {
    const auto database = ledger::open_database(file(), ledger::Access::kRead);
    EXPECT_TRUE(database);
    auto out = (*database)->query(statement);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : std::vector<ledger::Row>();
  }
  void run(std::size_t from, std::size_t to, const MadeFleet::Level& level = peers::usual_level) {
    for (std::size_t s = from; s < to; ++s) {
      made.send_second(s, level);
      steady_ns += kSecond_ns;
      ASSERT_TRUE(loop->round());
    }
  }
  // A second in which the host would be called slow if it were now.
  void send_late(std::size_t host, std::size_t second) {
    made.more(host).votes = 3;
    made.send_late(
        host, second,
        [](std::size_t, std::size_t quantity, std::size_t) {
          return quantity == peers::kRetransmits ? 0.04F : 0.02F;
        },
        MadeFleet::end_of(second + 100));
    made.more(host).votes = 0;
  }
  // What all hosts but some tell late of seconds, the newest first.
  void send_gap(std::size_t from, std::size_t to, const MadeFleet::Level& level,
                std::size_t hosts = kHosts) {
    for (std::size_t host = 0; host < hosts; ++host) {
      for (std::size_t s = to; s-- > from;) made.send_late(host, s, level, MadeFleet::end_of(to));
    }
  }
  // As if nobody had spoken for so long.
  void skip(std::size_t seconds) { steady_ns += static_cast<std::int64_t>(seconds) * kSecond_ns; }
  static MadeFleet::Level slow(std::size_t from, std::size_t to) {
    return peers::spliced({2}, peers::kRetransmits, 0.04F, from, to);
  }
  std::vector<ledger::Row> incidents() {
    return rows("SELECT id, revision, state, onset_ns, end_ns FROM incidents ORDER BY onset_ns");
  }

  base::TempDir folder;
  bus::FakeBroker facts;
  bus::FakeBroker events;
  bus::FakeBroker levels;
  bus::FakeBroker late;
  MadeFleet made{kHosts, peers::made_dictionary(),
                 [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                   auto& to = subject.find(".lvl.") != std::string::npos    ? levels
                              : subject.find(".late.") != std::string::npos ? late
                                                                            : facts;
                   to.kept.push_back({subject, payload, to.kept.size() + 1, stored_ns, 0});
                 }};
  std::int64_t steady_ns = 77 * kSecond_ns;
  std::unique_ptr<Loop> loop;
  std::vector<peers::News> news;
  std::vector<std::string> notices;
};

TEST_F(LateLevels, AreInTheDatabaseOnceAndRaiseNoAlarm) {
  made.introduce();
  run(0, 200);
  const auto judged = loop->fleet().counts().judged;
  for (std::size_t s = 190; s-- > 130;) send_late(2, s);
  for (std::size_t s = 140; s-- > 130;) send_late(2, s);
  run(200, 230);
  EXPECT_THAT(
      rows("SELECT host, count(*), min(votes), sum(judged) FROM late_seconds GROUP BY host"),
      ElementsAre(ElementsAre(made.id(2), "60", "3", "60")));
  EXPECT_THAT(rows("SELECT min(begin_ns), max(begin_ns) FROM late_seconds"),
              ElementsAre(ElementsAre(std::to_string(MadeFleet::begin_of(130)),
                                      std::to_string(MadeFleet::begin_of(189)))));
  EXPECT_THAT(rows("SELECT count(*) FROM late_dictionaries"), ElementsAre(ElementsAre("1")));
  EXPECT_THAT(news, IsEmpty());
  EXPECT_EQ(loop->fleet().counts().judged, judged + 30);
  EXPECT_EQ(loop->fleet().counts().refused, 0u);
}

// The broker has what came while the analyser was away.
TEST_F(LateLevels, AreThereOnceAfterTheAnalyserWasAway) {
  made.introduce();
  run(0, 10);
  for (std::size_t s = 8; s-- > 4;) send_late(1, s);
  run(10, 12);
  loop.reset();
  for (std::size_t s = 5; s-- > 0;) send_late(1, s);
  start();
  run(12, 20);
  EXPECT_THAT(rows("SELECT count(*), count(DISTINCT begin_ns) FROM late_seconds"),
              ElementsAre(ElementsAre("8", "8")));
}

// More than the database is given at once.
TEST_F(LateLevels, ManyAreWrittenInTurnAndTheLevelsOfNowDoNotWait) {
  made.introduce();
  run(0, 130);
  const auto judged = loop->fleet().counts().judged;
  for (std::size_t i = 0; i < 5000; ++i) send_late(i % kHosts, 1000 + i / kHosts);
  run(130, 131);
  EXPECT_EQ(loop->fleet().counts().judged, judged + 1);
  EXPECT_THAT(rows("SELECT count(*) FROM late_seconds"),
              ElementsAre(ElementsAre(std::to_string(Keeper::kMaxAtOnce))));
  run(131, 150);
  EXPECT_EQ(loop->fleet().counts().judged, judged + 20);
  EXPECT_THAT(rows("SELECT count(*) FROM late_seconds"), ElementsAre(ElementsAre("5000")));
}

TEST_F(LateLevels, ABrokerWithoutAStreamForThemIsToldOfAndAllElseGoesOn) {
  late.is_away = true;
  made.introduce();
  run(0, 150);
  EXPECT_THAT(notices, Contains(HasSubstr("no late levels: the broker is away")).Times(1));
  EXPECT_GT(loop->fleet().counts().judged, 140u);
  late.is_away = false;
  run(150, 152);
  EXPECT_THAT(notices, Contains("late levels come from the broker"));
}

// ---- what was between hosts in such seconds ----

TEST_F(LateLevels, ASlowHostOfAGapIsToldAfterwardsOnceAndIsNoAlarm) {
  made.introduce();
  run(0, 300);
  skip(100);
  run(400, 420);
  send_gap(300, 400, slow(330, 360));
  run(420, 535);
  EXPECT_THAT(news, IsEmpty()) << "more may come";
  run(535, 560);
  ASSERT_THAT(news, testing::SizeIs(1));
  EXPECT_EQ(news[0].told, peers::Told::kPast);
  const auto& incident = news[0].incident;
  EXPECT_FALSE(incident.is_open);
  EXPECT_EQ(incident.onset_ns, MadeFleet::begin_of(330));
  EXPECT_LE(incident.end_ns, MadeFleet::begin_of(366));
  ASSERT_THAT(incident.hosts, testing::SizeIs(1));
  EXPECT_EQ(incident.hosts[0].name, "n02");
  EXPECT_EQ(incident.hosts[0].part, peers::Part::kCause);
  EXPECT_THAT(incidents(),
              ElementsAre(ElementsAre(incident.id, testing::_, "closed", testing::_, testing::_)));
  EXPECT_THAT(rows("SELECT group_key, begin_ns, end_ns, hosts, incidents FROM gaps"),
              ElementsAre(ElementsAre("role=train", std::to_string(MadeFleet::begin_of(300)),
                                      std::to_string(MadeFleet::begin_of(400)), "4", "1")));
  // The next analyser is given all of it by the broker once more.
  loop.reset();
  start();
  run(560, 850);
  EXPECT_THAT(news, testing::SizeIs(1));
  EXPECT_THAT(rows("SELECT count(*) FROM gaps"), ElementsAre(ElementsAre("1")));
}

TEST_F(LateLevels, OneThatWentOnWhenTheBrokerWentIsLongerThanWasKnown) {
  made.introduce();
  run(0, 300, slow(280, 340));
  skip(100);
  run(400, 420);
  ASSERT_THAT(news, testing::SizeIs(2)) << "opened and closed";
  send_gap(300, 400, slow(280, 340));
  run(420, 560);
  ASSERT_THAT(news, testing::SizeIs(3));
  EXPECT_EQ(news[2].told, peers::Told::kPast);
  EXPECT_EQ(news[2].incident.id, news[0].incident.id);
  EXPECT_GT(news[2].incident.revision, news[1].incident.revision);
  EXPECT_EQ(news[2].incident.onset_ns, news[0].incident.onset_ns);
  EXPECT_GE(news[2].incident.end_ns, MadeFleet::begin_of(339));
  EXPECT_THAT(incidents(), testing::SizeIs(1));
}

TEST_F(LateLevels, OneThatIsStillOpenBeganWhileTheBrokerWasAway) {
  made.introduce();
  run(0, 300);
  skip(100);
  run(400, 420, slow(350, 900));
  ASSERT_THAT(news, testing::SizeIs(1));
  EXPECT_GE(news[0].incident.onset_ns, MadeFleet::begin_of(400));
  send_gap(300, 400, slow(350, 900));
  run(420, 560, slow(350, 900));
  ASSERT_THAT(news, testing::SizeIs(2));
  EXPECT_EQ(news[1].told, peers::Told::kUpdated);
  EXPECT_EQ(news[1].incident.id, news[0].incident.id);
  EXPECT_EQ(news[1].incident.onset_ns, MadeFleet::begin_of(350));
  EXPECT_TRUE(news[1].incident.is_open);
  EXPECT_EQ(incidents()[0][3], std::to_string(MadeFleet::begin_of(350)));
}

// Of those that were heard in time nothing is kept, so there is nothing to compare with.
TEST_F(LateLevels, IfAFourthOfTheHostsToldInTimeNobodyIsAccused) {
  made.introduce();
  run(0, 300);
  skip(100);
  run(400, 420);
  send_gap(300, 400, slow(330, 360), 3);
  run(420, 560);
  EXPECT_THAT(news, IsEmpty());
  EXPECT_THAT(rows("SELECT hosts, judged_seconds FROM gaps"), ElementsAre(ElementsAre("4", "0")));
}

// ---- what ended while nobody ran ----

class EndedUnseen : public LateLevels {
 protected:
  // An incident is told, and ends 20 seconds before another one begins, which knows it as open.
  void end_unseen() {
    made.introduce();
    run(0, 300, slow(280, 310));
    ASSERT_THAT(news, testing::SizeIs(1));
    open = news[0].incident;
    loop.reset();
    for (std::size_t s = 300; s < 330; ++s) made.send_second(s, slow(280, 310));
    skip(30);
  }

  peers::Incident open;
};

TEST_F(EndedUnseen, IsToldAtOnceWithTheEndThatTheBrokersLevelsShow) {
  end_unseen();
  start();
  loop->resume({open});
  run(330, 335);
  ASSERT_THAT(news, testing::SizeIs(2));
  EXPECT_EQ(news[1].told, peers::Told::kClosed);
  EXPECT_EQ(news[1].incident.id, open.id);
  EXPECT_EQ(news[1].incident.revision, open.revision + 1);
  EXPECT_EQ(news[1].incident.end_ns, MadeFleet::begin_of(314));
  EXPECT_EQ(incidents().at(0).at(2), "closed");
  // A third one that knew it as open, too, when it began.
  loop.reset();
  start();
  loop->resume({open});
  run(335, 400);
  EXPECT_THAT(news, testing::SizeIs(2));
  EXPECT_EQ(incidents().at(0).at(2), "closed");
}

TEST_F(EndedUnseen, IsToldOnceIfTheBrokerHasNoLevelsOfIt) {
  end_unseen();
  levels.kept.clear();
  start();
  loop->resume({open});
  run(330, 400);
  ASSERT_THAT(news, testing::SizeIs(2));
  EXPECT_EQ(news[1].told, peers::Told::kClosed);
  EXPECT_EQ(news[1].incident.id, open.id);
  EXPECT_EQ(news[1].incident.revision, open.revision + 1);
  EXPECT_FALSE(news[1].incident.is_open);
  EXPECT_EQ(incidents().at(0).at(2), "ended_unseen");
  // A third one, likewise.
  loop.reset();
  start();
  loop->resume({open});
  run(400, 480);
  EXPECT_THAT(news, testing::SizeIs(2));
  EXPECT_EQ(incidents().at(0).at(2), "ended_unseen");
}

}  // namespace
}  // namespace reveal::analyser
