// Analysers that share a bucket of leases, a file and a fleet, in one process with a clock of its
// own.
#include "analyser/leases.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyser/loop.h"
#include "base/temp_dir.h"
#include "bus/testing/fake_bus.h"
#include "bus/testing/fake_lease_bucket.h"
#include "peers/json.h"
#include "peers/testing/made_fleet.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;
using peers::MadeFleet;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kGroup = "role=train";

struct World {
  bus::FakeBroker facts;
  bus::FakeBroker events;
  bus::FakeBroker levels;
  bus::FakeLeases leases;
  base::TempDir folder;
  bool has_file = true;
  std::int64_t steady_ns = 77 * kSecond_ns;
};

class Analyser {
 public:
  Analyser(World& world, const std::string& name, const std::string& file = "fleet.db")
      : world_(world) {
    auto bucket = std::make_unique<bus::FakeLeaseBucket>(world.leases);
    bucket_ = bucket.get();
    leases_ = std::make_unique<Leases>(std::move(bucket), name, [&] { return world_.steady_ns; });
    AnalyserOutput output;
    output.incident = [this](const peers::News& one) {
      news.push_back(one);
      return base::Result<void>();
    };
    output.notice = [this](std::string_view line) { notices.emplace_back(line); };
    std::optional<Keeper> keeper;
    std::vector<peers::Incident> open;
    if (world.has_file) {
      auto ledger = ledger::Ledger::open(world.folder.path() / file);
      EXPECT_TRUE(ledger) << ledger.error().message();
      const auto details = ledger->open_incidents();
      EXPECT_TRUE(details);
      for (const auto& detail : *details) open.push_back(*peers::read_incident(detail));
      keeper.emplace(std::move(*ledger), output.notice);
    }
    loop_ = std::make_unique<Loop>(
        Loop::Subscribers{std::make_unique<bus::FakeSubscriber>(world.facts),
                          std::make_unique<bus::FakeSubscriber>(world.events),
                          std::make_unique<bus::FakeSubscriber>(world.levels)},
        std::move(keeper), std::move(output), [&] { return world_.steady_ns; }, leases_.get());
    loop_->resume(std::move(open));
  }
  void round() {
    leases_->round();
    ASSERT_TRUE(loop_->round());
    leases_->round();
  }
  // Judges without a word with the broker of leases: as in the moment in which it is stopped.
  void judge() { ASSERT_TRUE(loop_->round()); }
  void give_back() { leases_->give_back(); }
  bus::FakeLeaseBucket& bucket() { return *bucket_; }
  bool judges() const {
    const auto views = leases_->view();
    const auto found = views.find(kGroup);
    return found != views.end() && world_.steady_ns < found->second.held_until_ns;
  }

  std::vector<peers::News> news;
  std::vector<std::string> notices;

 private:
  World& world_;
  bus::FakeLeaseBucket* bucket_ = nullptr;
  std::unique_ptr<Leases> leases_;
  std::unique_ptr<Loop> loop_;
};

class ManyAnalysers : public testing::Test {
 protected:
  static constexpr std::size_t kHosts = 4;
  using Those = std::vector<Analyser*>;

  // Makes seconds until then; `slow` is host 2 from second 200 to `slow_to`.
  void run(std::size_t to, const Those& analysers) {
    for (; second < to; ++second) {
      made.send_second(second, [this](std::size_t host, std::size_t quantity, std::size_t s) {
        const bool is_it = host == 2 && quantity == peers::kRetransmits && s >= 200 && s < slow_to;
        return is_it ? 0.04F : peers::usual_level(host, quantity, s);
      });
      world.steady_ns += kSecond_ns;
      world.leases.now_ns = world.steady_ns;
      for (auto* one : analysers) one->round();
    }
  }
  static std::vector<peers::News> all(const Those& analysers) {
    std::vector<peers::News> out;
    for (const auto* one : analysers) out.insert(out.end(), one->news.begin(), one->news.end());
    return out;
  }
  static void expect_told_once(const std::vector<peers::News>& told) {
    ASSERT_GE(told.size(), 2u);
    for (std::size_t i = 0; i < told.size(); ++i) {
      EXPECT_EQ(told[i].incident.id, told[0].incident.id);
      EXPECT_EQ(told[i].incident.revision, i + 1);
      EXPECT_EQ(told[i].told == peers::Told::kOpened, i == 0);
      EXPECT_EQ(told[i].told == peers::Told::kClosed, i + 1 == told.size());
    }
  }
  std::vector<ledger::Row> rows(const std::string& statement) const {
    const auto opened =
        ledger::open_database(world.folder.path() / "fleet.db", ledger::Access::kRead);
    EXPECT_TRUE(opened);
    auto out = (*opened)->query(statement);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : std::vector<ledger::Row>();
  }

  World world;
  MadeFleet made{kHosts, peers::made_dictionary(),
                 [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                   auto& broker =
                       subject.find(".lvl.") != std::string::npos ? world.levels : world.facts;
                   broker.kept.push_back({subject, payload, broker.kept.size() + 1, stored_ns, 0});
                 }};
  std::size_t second = 0;
  std::size_t slow_to = 260;
};

TEST_F(ManyAnalysers, OneTellsAndAllKnow) {
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  run(280, {&one, &other});
  expect_told_once(one.news);
  EXPECT_THAT(other.news, IsEmpty());
  EXPECT_THAT(one.notices, Contains("judges role=train (lease 1)"));
  EXPECT_THAT(other.notices, Contains("role=train is judged by one"));
  EXPECT_THAT(rows("SELECT holder, lease FROM leases"), ElementsAre(ElementsAre("one", "1")));
  EXPECT_THAT(rows("SELECT lease FROM incidents"), ElementsAre(ElementsAre("1")));
  EXPECT_EQ(one.news[0].lease, 1);
}

TEST_F(ManyAnalysers, TheOtherGoesOnWhenOneIsGone) {
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  run(220, {&one, &other});
  ASSERT_THAT(one.news, SizeIs(1));
  run(226, {&other});
  EXPECT_TRUE(other.judges());
  run(280, {&other});
  expect_told_once(all({&one, &other}));
  EXPECT_THAT(rows("SELECT state FROM incidents"), ElementsAre(ElementsAre("closed")));
}

// What begins and ends while nobody judges is told by who takes over.
TEST_F(ManyAnalysers, NothingIsLostWhileNobodyJudges) {
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  run(198, {&one, &other});
  run(280, {&other});
  EXPECT_THAT(one.news, IsEmpty());
  expect_told_once(other.news);
}

TEST_F(ManyAnalysers, AnEndThatOneDidNotTellTheOtherTells) {
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  // It is over some 14 s after 260, when nobody judges.
  run(272, {&one, &other});
  ASSERT_THAT(one.news, SizeIs(1));
  run(290, {&other});
  expect_told_once(all({&one, &other}));
}

// One that judged saw a host slow before this one did, and is gone.
TEST_F(ManyAnalysers, WhatAnotherToldGoesOnUnderItsId) {
  made.introduce();
  Analyser one(world, "one");
  peers::Incident told;
  told.id = "00000000000000ab";
  told.group = kGroup;
  told.onset_ns = MadeFleet::begin_of(199);
  told.end_ns = MadeFleet::end_of(199);
  told.group_size = kHosts;
  peers::SlowHost host;
  host.id = made.id(2);
  host.name = "n02";
  host.part = peers::Part::kCause;
  host.onset_ns = told.onset_ns;
  host.last_ns = told.end_ns;
  told.hosts.push_back(host);
  while (second < 195) {
    world.leases.kept[lease_key(kGroup)] = {{"gone", ++world.leases.revision}, world.steady_ns};
    run(second + 1, {&one});
  }
  auto file = ledger::Ledger::open(world.folder.path() / "fleet.db");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->put_incident(told, peers::json_of({peers::Told::kOpened, told})));
  run(290, {&one});
  // As if it had told the begin itself.
  auto all_told = one.news;
  all_told.insert(all_told.begin(), {peers::Told::kOpened, told});
  expect_told_once(all_told);
  EXPECT_EQ(one.news.back().incident.onset_ns, told.onset_ns);
}

TEST_F(ManyAnalysers, WhoGivesItBackIsFollowedAtOnce) {
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  run(220, {&one, &other});
  one.give_back();
  run(221, {&other});
  EXPECT_TRUE(other.judges());
  run(280, {&other});
  expect_told_once(all({&one, &other}));
}

TEST_F(ManyAnalysers, OneThatWasStoppedTellsNothingWhenItGoesOn) {
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  run(255, {&one, &other});
  run(285, {&other});
  const auto told = one.news.size();
  run(330, {&one, &other});
  EXPECT_THAT(one.news, SizeIs(told));
  expect_told_once(all({&one, &other}));
  EXPECT_THAT(one.notices, Contains("no longer judges role=train: lease 1 is lost"));
  EXPECT_THAT(one.notices, Contains("role=train is judged by other"));
}

TEST_F(ManyAnalysers, OneThatIsCutOffFromTheLeasesAloneTellsNothing) {
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  run(198, {&one, &other});
  one.bucket().is_away = true;
  run(280, {&one, &other});
  EXPECT_THAT(one.news, IsEmpty());
  expect_told_once(other.news);
  EXPECT_THAT(one.notices, Contains("no leases: the broker is away").Times(1));
}

// Both are ended and started again while the incident lasts.
TEST_F(ManyAnalysers, BothMayBeStartedAgain) {
  made.introduce();
  std::vector<peers::News> told;
  {
    Analyser one(world, "one");
    Analyser other(world, "other");
    run(220, {&one, &other});
    told = all({&one, &other});
    ASSERT_THAT(told, SizeIs(1));
  }
  Analyser third(world, "third");
  Analyser fourth(world, "fourth");
  run(290, {&third, &fourth});
  for (const auto& one : all({&third, &fourth})) told.push_back(one);
  expect_told_once(told);
  EXPECT_THAT(rows("SELECT state FROM incidents"), ElementsAre(ElementsAre("closed")));
}

TEST_F(ManyAnalysers, WithoutAFileTheOtherTellsWhatCameAfterTheLastSignOfLife) {
  world.has_file = false;
  made.introduce();
  Analyser one(world, "one");
  Analyser other(world, "other");
  run(220, {&one, &other});
  ASSERT_THAT(one.news, SizeIs(1));
  run(280, {&other});
  expect_told_once(all({&one, &other}));
}

TEST_F(ManyAnalysers, WithAFileEachTheOtherTellsAgainUnderTheSameId) {
  made.introduce();
  Analyser one(world, "one", "one.db");
  Analyser other(world, "other", "other.db");
  run(220, {&one, &other});
  ASSERT_THAT(one.news, SizeIs(1));
  run(280, {&other});
  expect_told_once(other.news);
  EXPECT_EQ(other.news[0].incident.id, one.news[0].incident.id);
  EXPECT_EQ(other.news[0].incident.revision, one.news[0].incident.revision);
}

TEST_F(ManyAnalysers, ABucketThatIsMadeAnewCountsFromOneAndIsObeyed) {
  made.introduce();
  Analyser one(world, "one");
  run(150, {&one});
  world.leases.kept.clear();
  world.leases.revision = 0;
  world.leases.made_ns = 2;
  run(280, {&one});
  expect_told_once(one.news);
  EXPECT_THAT(rows("SELECT era FROM leases"), ElementsAre(ElementsAre("2")));
}

TEST_F(ManyAnalysers, WhoIsBehindTakesNoLease) {
  made.introduce();
  run(600, {});
  Analyser one(world, "one");
  one.round();
  one.round();
  EXPECT_FALSE(one.judges());
  run(610, {&one});
  EXPECT_TRUE(one.judges());
}

TEST_F(ManyAnalysers, WhoDoesNotJudgeKeepsNoLease) {
  made.introduce();
  Analyser one(world, "one");
  run(10, {&one});
  EXPECT_TRUE(one.judges());
  // Its messages do not come, though the leases answer.
  world.levels.is_away = true;
  for (int i = 0; i < 10; ++i) {
    world.steady_ns += kSecond_ns;
    world.leases.now_ns = world.steady_ns;
    one.round();
  }
  EXPECT_FALSE(one.judges());
}

}  // namespace
}  // namespace reveal::analyser
