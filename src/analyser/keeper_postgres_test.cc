// A keeper whose database is on a PostgreSQL server that goes away: what is told is what was
// written, each of it once.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyser/keeper.h"
#include "base/rng.h"
#include "ledger/testing/postgres_server.h"

namespace reveal::analyser {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kGroup = "role=train";

std::int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Learnt news_of(int number) {
  Learnt out;
  out.news.push_back({});
  auto& incident = out.news[0].news.incident;
  incident.id = std::to_string(number);
  incident.group = kGroup;
  incident.is_of_all = true;
  return out;
}

class KeptOnAServer : public testing::Test {
 protected:
  void SetUp() override {
    if (ledger::PostgresServer::programs().empty()) {
      GTEST_SKIP() << "no PostgreSQL (make deps-test)";
    }
    server.emplace();
    auto opened = ledger::Ledger::open(server->url());
    ASSERT_TRUE(opened) << opened.error().message();
    keeper.emplace(std::move(*opened), [this](std::string_view line) { lines.emplace_back(line); });
  }
  void keep(Learnt more) {
    const auto kept = keeper->keep(std::move(more), steady_ns());
    ASSERT_TRUE(kept) << kept.error().message();
    for (const auto& one : keeper->take_written()) told.push_back(one.incident.id);
  }
  // Until nothing waits any more.
  void keep_all() {
    for (int i = 0; i < 3'000 && keeper->waiting() > 0; ++i) {
      keep({});
      std::this_thread::sleep_for(milliseconds(20));
    }
  }
  std::unique_ptr<ledger::Database> program() const {
    auto out = ledger::open_database(server->url(), ledger::Access::kWrite);
    EXPECT_TRUE(out) << out.error().message();
    return std::move(*out);
  }
  // A commit waits for another server from then on, or not any more.
  static void set_waits(ledger::Database& by, bool waits) {
    ASSERT_TRUE(by.run("SET synchronous_commit = local"));
    ASSERT_TRUE(by.run(waits ? "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
                             : "ALTER SYSTEM RESET synchronous_standby_names"));
    ASSERT_TRUE(by.run("SELECT pg_reload_conf()"));
    std::this_thread::sleep_for(milliseconds(200));
  }

  std::optional<ledger::PostgresServer> server;
  std::optional<Keeper> keeper;
  std::vector<std::string> lines;
  std::vector<std::string> told;
};

TEST_F(KeptOnAServer, NoIncidentIsLostOrDoubledThoughTheServerIsKilledAtRandom) {
  std::thread killer([this] {
    base::Rng rng(7);
    for (int i = 0; i < 12; ++i) {
      std::this_thread::sleep_for(milliseconds(50 + rng.below(400)));
      server->kill();
      std::this_thread::sleep_for(milliseconds(rng.below(300)));
      server->start();
    }
  });
  constexpr int kIncidents = 1'000;
  std::vector<std::string> all;
  for (int i = 0; i < kIncidents; ++i) {
    all.push_back(std::to_string(i));
    keep(news_of(i));
    std::this_thread::sleep_for(milliseconds(5));
  }
  killer.join();
  keep_all();
  EXPECT_EQ(told, all);
  const auto kept = program()->query("SELECT id FROM incidents ORDER BY CAST(id AS BIGINT)");
  ASSERT_TRUE(kept);
  std::vector<std::string> ids;
  for (const auto& row : *kept) ids.push_back(row[0]);
  EXPECT_EQ(ids, all);
  EXPECT_THAT(lines, Not(IsEmpty()));
}

// It was written, but nobody said so: that it is there is no reason not to tell it.
TEST_F(KeptOnAServer, WhatWasWrittenWithoutAnAnswerIsToldOnce) {
  const auto other = program();
  set_waits(*other, true);
  keep(news_of(1));
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(lines, ElementsAre(AllOf(HasSubstr("1 change of incidents waits"),
                                       HasSubstr("does not answer"))));
  set_waits(*other, false);
  EXPECT_THAT(*other->query("SELECT id FROM incidents"), ElementsAre(ElementsAre("1")));
  keep_all();
  EXPECT_THAT(told, ElementsAre("1"));
}

// The same, but another analyser wrote it: that one tells it.
TEST_F(KeptOnAServer, WhatAnotherHasWrittenMeanwhileIsNotTold) {
  const auto other = program();
  set_waits(*other, true);
  keep(news_of(1));
  set_waits(*other, false);
  ASSERT_TRUE(other->run("UPDATE incidents SET lease = 5"));
  keep_all();
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(KeptOnAServer, AServerThatIsAwayIsWaitedForWithoutEndAndEachMinuteIsTold) {
  server->kill();
  constexpr std::int64_t kMinute = 60'000'000'000;
  for (int minute = 1; minute < 300; ++minute) {
    const auto kept = keeper->keep(news_of(minute), minute * kMinute);
    ASSERT_TRUE(kept) << kept.error().message();
  }
  // The process that served it may live on for a moment.
  EXPECT_GT(lines.size(), 1u);
  EXPECT_EQ(lines.size(), keeper->waiting());
  EXPECT_THAT(lines, Each(HasSubstr("not written for now")));
  EXPECT_THAT(lines.back(), HasSubstr(std::to_string(lines.size()) + " changes of incidents wait"));
  EXPECT_FALSE(keeper->claim(kGroup, "one", {5, 10}, 1, 0));
}

}  // namespace
}  // namespace reveal::analyser
