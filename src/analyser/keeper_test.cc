#include "analyser/keeper.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "wire/testing/made_messages.h"

namespace reveal::analyser {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kSecond = 1'000'000'000;

class Kept : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = ledger::Ledger::open(file());
    ASSERT_TRUE(opened) << opened.error().message();
    keeper.emplace(std::move(*opened), [this](std::string_view line) { lines.emplace_back(line); });
    auto other = ledger::open_database(file(), ledger::Access::kWrite);
    ASSERT_TRUE(other);
    program = std::move(*other);
  }
  std::filesystem::path file() const { return folder.path() / "fleet.db"; }
  std::vector<ledger::Row> rows(const std::string& statement) {
    auto out = program->query(statement);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : std::vector<ledger::Row>();
  }
  static Learnt facts(std::int64_t time_ns, bool is_new) {
    Learnt out;
    auto told = wire::example_facts();
    told.head.time_ns = time_ns;
    out.facts.push_back({{"h", "main", told, is_new}, "role=train"});
    return out;
  }

  base::TempDir folder;
  std::optional<Keeper> keeper;
  std::unique_ptr<ledger::Database> program;  // another one
  std::vector<std::string> lines;
};

TEST_F(Kept, WhatCannotBeWrittenNowIsWrittenLater) {
  ASSERT_TRUE(program->run("BEGIN IMMEDIATE"));
  ASSERT_TRUE(keeper->keep(facts(1, true), 0));
  EXPECT_EQ(keeper->waiting(), 1u);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("not written for now")));
  ASSERT_TRUE(program->run("ROLLBACK"));
  // Within its pause it does not try.
  ASSERT_TRUE(keeper->keep({}, 60 * kSecond));
  EXPECT_EQ(keeper->waiting(), 0u);
  EXPECT_THAT(rows("SELECT name FROM hosts"), SizeIs(1));
  EXPECT_THAT(lines, SizeIs(2));
}

TEST_F(Kept, ThatAnIncidentWaitsIsToldAtOnce) {
  ASSERT_TRUE(program->run("BEGIN IMMEDIATE"));
  ASSERT_TRUE(keeper->keep(facts(1, true), 0));
  ASSERT_TRUE(keeper->keep(facts(2, true), 10 * kSecond));
  EXPECT_THAT(lines, ElementsAre(HasSubstr("0 changes of incidents wait ")));
  Learnt learnt;
  learnt.news.push_back({});
  ASSERT_TRUE(keeper->keep(std::move(learnt), 20 * kSecond));
  ASSERT_TRUE(keeper->keep({}, 40 * kSecond));
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[1], HasSubstr("1 change of incidents waits "));
}

TEST_F(Kept, AFileThatIsBusyForLongIsAFailure) {
  ASSERT_TRUE(program->run("BEGIN IMMEDIATE"));
  ASSERT_TRUE(keeper->keep(facts(1, true), kSecond));
  const auto kept = keeper->keep({}, 2 * kSecond + Keeper::kLongestBusy_ns);
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().kind, base::ErrorKind::kBusy);
}

TEST_F(Kept, ManyFactsAreWrittenInPartsAndStandingsBehindThem) {
  Learnt learnt;
  for (std::size_t i = 0; i <= Keeper::kMaxAtOnce; ++i) {
    learnt.append(facts(1, true));
    learnt.facts.back().told.host = "h" + std::to_string(i);
  }
  learnt.standings.push_back(
      {.host = learnt.facts.back().told.host, .name = "", .standing = peers::Standing::kClockOff});
  ASSERT_TRUE(keeper->keep(std::move(learnt), 0));
  EXPECT_EQ(keeper->waiting(), 2u);
  ASSERT_TRUE(keeper->keep({}, kSecond));
  EXPECT_EQ(keeper->waiting(), 0u);
  EXPECT_THAT(rows("SELECT count(*) FROM hosts WHERE standing <> 'unknown'"),
              ElementsAre(ElementsAre("1")));
}

TEST_F(Kept, WhatIsOldIsForgottenIfThatIsAskedFor) {
  constexpr std::int64_t kKept = 1000 * kSecond;
  ASSERT_TRUE(keeper->keep(facts(5 * kSecond, true), 0));
  ASSERT_TRUE(keeper->forget(kKept * 5, kSecond));
  EXPECT_THAT(rows("SELECT id FROM hosts"), SizeIs(1));
  auto opened = ledger::Ledger::open(file());
  ASSERT_TRUE(opened);
  keeper.emplace(
      std::move(*opened), [](std::string_view) {}, kKept);
  ASSERT_TRUE(keeper->forget(kKept + 4 * kSecond, kSecond));
  EXPECT_THAT(rows("SELECT id FROM hosts"), SizeIs(1));
  // Not more often than once an hour.
  ASSERT_TRUE(keeper->forget(kKept * 5, 2 * kSecond));
  EXPECT_THAT(rows("SELECT id FROM hosts"), SizeIs(1));
  ASSERT_TRUE(keeper->forget(kKept * 5, 3602 * kSecond));
  EXPECT_THAT(rows("SELECT id FROM hosts"), IsEmpty());
}

TEST_F(Kept, FactsThatAreToldAgainAreNotWrittenAgain) {
  ASSERT_TRUE(keeper->keep(facts(5, true), 0));
  // If they were written again, this would go.
  ASSERT_TRUE(program->run("UPDATE facts SET text = 'x'"));
  ASSERT_TRUE(keeper->keep(facts(9, false), kSecond));
  EXPECT_THAT(rows("SELECT last_told_ns FROM hosts"), ElementsAre(ElementsAre("9")));
  EXPECT_THAT(rows("SELECT text FROM facts WHERE text <> 'x'"), IsEmpty());
}

TEST_F(Kept, WhatIsNotOpenAnyMoreIsClosedLater) {
  Learnt learnt;
  for (const auto* id : {"a", "b"}) {
    peers::News news;
    news.incident.id = id;
    news.incident.group = "role=train";
    news.incident.is_of_all = true;
    learnt.news.push_back({news, {}});
  }
  learnt.settled.push_back({"role=train", {}, {"b"}});
  ASSERT_TRUE(keeper->keep(std::move(learnt), 0));
  EXPECT_THAT(rows("SELECT id FROM incidents WHERE state = 'open'"), ElementsAre(ElementsAre("b")));
}

// News are told once they are written, so those that the file has or refuses are not.
TEST_F(Kept, OnlyWhatWasWrittenIsToBeTold) {
  const auto news = [](const char* id, ledger::Token token) {
    Learnt out;
    out.news.push_back({{}, token});
    out.news[0].news.incident.id = id;
    out.news[0].news.incident.group = "role=train";
    out.news[0].news.incident.is_of_all = true;
    return out;
  };
  const auto claimed = keeper->claim("role=train", "one", {5, 10}, 1, 0);
  ASSERT_TRUE(claimed);
  EXPECT_TRUE(*claimed);
  ASSERT_TRUE(program->run("BEGIN IMMEDIATE"));
  ASSERT_TRUE(keeper->keep(news("a", {5, 10}), 0));
  EXPECT_THAT(keeper->take_written(), IsEmpty());
  ASSERT_TRUE(program->run("ROLLBACK"));
  ASSERT_TRUE(keeper->keep({}, 60 * kSecond));
  EXPECT_THAT(keeper->take_written(), SizeIs(1));
  ASSERT_TRUE(keeper->keep(news("a", {5, 10}), 61 * kSecond));
  EXPECT_THAT(keeper->take_written(), IsEmpty());
  EXPECT_THAT(keeper->take_refused(), IsEmpty());
  ASSERT_TRUE(keeper->keep(news("b", {5, 9}), 62 * kSecond));
  EXPECT_THAT(keeper->take_written(), IsEmpty());
  EXPECT_THAT(keeper->take_refused(), ElementsAre("role=train"));
  EXPECT_THAT(rows("SELECT id FROM incidents"), ElementsAre(ElementsAre("a")));
}

TEST_F(Kept, WhoLosesAGroupGivesUpItsNewsThatWait) {
  Learnt learnt = facts(1, true);
  learnt.news.push_back({{}, {5, 10}});
  learnt.news[0].news.incident.id = "a";
  learnt.news[0].news.incident.group = "role=train";
  learnt.news[0].news.incident.is_of_all = true;
  ASSERT_TRUE(program->run("BEGIN IMMEDIATE"));
  ASSERT_TRUE(keeper->keep(std::move(learnt), 0));
  ASSERT_TRUE(program->run("ROLLBACK"));
  EXPECT_THAT(keeper->drop("role=train"), SizeIs(1));
  ASSERT_TRUE(keeper->keep({}, 60 * kSecond));
  EXPECT_THAT(rows("SELECT id FROM incidents"), IsEmpty());
  EXPECT_THAT(rows("SELECT name FROM hosts"), SizeIs(1));
}

}  // namespace
}  // namespace reveal::analyser
