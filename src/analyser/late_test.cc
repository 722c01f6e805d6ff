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
#include "peers/testing/made_fleet.h"

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
  void run(std::size_t from, std::size_t to) {
    for (std::size_t s = from; s < to; ++s) {
      made.send_second(s, peers::usual_level);
      steady_ns += kSecond_ns;
      ASSERT_TRUE(loop->round());
    }
  }
  // A second in which the host would be called slow if it were now.
  void send_late(std::size_t host, std::size_t second) {
    wire::LevelsHead head;
    head.head = {.clock_error_us = 100,
                 .run = wire::run_of(made.id(host), peers::kMadeBegin_ns),
                 .time_ns = MadeFleet::begin_of(second)};
    head.sequence = second;
    head.dictionary = wire::number_of(*wire::plain_of(peers::made_dictionary()));
    head.late = true;
    head.votes = 3;
    const std::vector<wire::Code> codes{1000, 4000, 4000, 1000};
    wire::Bytes message;
    wire::LevelsEncoder().encode(head, codes, message);
    late.kept.push_back({wire::subject_of({"main", made.id(host), wire::Type::kLevels, true}),
                         message, late.kept.size() + 1, MadeFleet::end_of(second + 100), 0});
  }

  base::TempDir folder;
  bus::FakeBroker facts;
  bus::FakeBroker events;
  bus::FakeBroker levels;
  bus::FakeBroker late;
  MadeFleet made{kHosts, peers::made_dictionary(),
                 [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                   auto& to = subject.find(".lvl.") != std::string::npos ? levels : facts;
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

}  // namespace
}  // namespace reveal::analyser
