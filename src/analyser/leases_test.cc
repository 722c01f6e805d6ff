// Analysers that share a bucket of leases, a file and a fleet, in one process with a clock of its
// own.
#include "analyser/leases.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyser/testing/many_analysers.h"

namespace reveal::analyser {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

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
  told.group = kTrainGroup;
  told.onset_ns = MadeFleet::begin_of(199);
  told.end_ns = MadeFleet::end_of(199);
  told.group_size = made.hosts();
  peers::SlowHost host;
  host.id = made.id(2);
  host.name = "n02";
  host.part = peers::Part::kCause;
  host.onset_ns = told.onset_ns;
  host.last_ns = told.end_ns;
  told.hosts.push_back(host);
  while (second < 195) {
    world.leases.kept[lease_key(kTrainGroup)] = {{"gone", ++world.leases.revision},
                                                 world.steady_ns};
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
