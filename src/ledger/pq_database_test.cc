#include "ledger/pq_database.h"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger.h"
#include "ledger/pq_library.h"
#include "ledger/testing/postgres_server.h"

namespace reveal::ledger {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class OnAServer : public testing::Test {
 protected:
  void SetUp() override {
    if (PostgresServer::programs().empty()) GTEST_SKIP() << "no PostgreSQL (make deps-test)";
    server.emplace();
    auto opened = open_database(server->url(), Access::kWrite);
    ASSERT_TRUE(opened) << opened.error().message();
    database = std::move(*opened);
    ASSERT_TRUE(database->run("CREATE TABLE t (a BIGINT)"));
    database->hurry();
  }
  // Tries until it works, as who keeps incidents does.
  base::Result<void> patiently(const std::function<base::Result<void>()>& what) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (;;) {
      auto done = what();
      if (done || std::chrono::steady_clock::now() > until) return done;
      EXPECT_EQ(done.error().kind, base::ErrorKind::kAway) << done.error().message();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  std::optional<PostgresServer> server;
  std::unique_ptr<Database> database;
};

TEST_F(OnAServer, AConnectionThatIsLostIsOpenedAgain) {
  server->kill();
  // The process that serves it may live on for a moment.
  auto lost = database->query("SELECT a FROM t");
  while (lost) lost = database->query("SELECT a FROM t");
  EXPECT_EQ(lost.error().kind, base::ErrorKind::kAway);
  server->start();
  ASSERT_TRUE(patiently([&] { return database->run("INSERT INTO t VALUES (1)"); }));
  EXPECT_THAT(*database->query("SELECT a FROM t"), ElementsAre(ElementsAre("1")));
}

// The rest of it would be written without what came before.
TEST_F(OnAServer, ATransactionIsNotGoneOnWithOverALostConnection) {
  ASSERT_TRUE(database->begin());
  ASSERT_TRUE(database->run("INSERT INTO t VALUES (1)"));
  server->kill();
  server->start();
  // It starts once the processes of before are gone.
  for (int i = 0; i < 3; ++i) {
    const auto done = database->run("INSERT INTO t VALUES (2)");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, base::ErrorKind::kAway);
  }
  EXPECT_FALSE(database->commit());
  database->roll_back();
  ASSERT_TRUE(patiently([&] { return database->begin(); }));
  ASSERT_TRUE(database->run("INSERT INTO t VALUES (3)"));
  ASSERT_TRUE(database->commit());
  EXPECT_THAT(*database->query("SELECT a FROM t"), ElementsAre(ElementsAre("3")));
}

TEST_F(OnAServer, AServerThatStandsStillIsNotWaitedForLong) {
  const auto other = open_database(server->url(), Access::kWrite);
  ASSERT_TRUE(other);
  const auto pid = (*other)->query("SELECT pg_backend_pid() FROM (SELECT 1) AS one");
  ASSERT_TRUE(pid);
  ASSERT_TRUE((*other)->begin());
  // The statement of `database` waits for the lock for half a second, that of `other` for an
  // answer.
  (*other)->hurry();
  ::kill(std::stoi(pid->at(0).at(0)), SIGSTOP);
  const auto begin = std::chrono::steady_clock::now();
  const auto still = (*other)->query("SELECT 1");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  ASSERT_FALSE(still);
  EXPECT_EQ(still.error().kind, base::ErrorKind::kAway);
  EXPECT_THAT(still.error().message(), HasSubstr("does not answer"));
  const auto locked = database->begin();
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().kind, base::ErrorKind::kBusy) << locked.error().message();
  ::kill(std::stoi(pid->at(0).at(0)), SIGCONT);
}

// As a program is that was suspended in the midst of a write.
TEST_F(OnAServer, WhoStandsStillInATransactionIsThrownOut) {
  const auto other = open_database(server->url(), Access::kWrite);
  ASSERT_TRUE(other);
  ASSERT_TRUE((*other)->begin());
  ASSERT_TRUE((*other)->run("INSERT INTO t VALUES (1)"));
  const auto begin = std::chrono::steady_clock::now();
  auto done = database->begin();
  while (!done && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)) {
    EXPECT_EQ(done.error().kind, base::ErrorKind::kBusy);
    done = database->begin();
  }
  ASSERT_TRUE(done);
  const auto late = (*other)->commit();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, base::ErrorKind::kAway);
  ASSERT_TRUE(database->commit());
  EXPECT_THAT(*database->query("SELECT count(*) FROM t"), ElementsAre(ElementsAre("0")));
}

TEST_F(OnAServer, AStatementOfAUserOnlyReads) {
  ASSERT_TRUE(database->run("INSERT INTO t VALUES (1), (NULL)"));
  const auto reading = open_database(server->url(), Access::kRead);
  ASSERT_TRUE(reading);
  {
    const auto answer = (*reading)->ask("SELECT a, a > 0 AS b, 'x' AS c FROM t ORDER BY a");
    ASSERT_TRUE(answer) << answer.error().message();
    const auto& columns = (*answer)->columns();
    ASSERT_EQ(columns.size(), 3u);
    EXPECT_EQ(columns[0].name, "a");
    EXPECT_EQ(columns[0].kind, CellKind::kNumber);
    EXPECT_EQ(columns[1].kind, CellKind::kBoolean);
    EXPECT_EQ(columns[2].kind, CellKind::kText);
    const auto first = (*answer)->next();
    EXPECT_THAT(std::vector<Cell>(first->begin(), first->end()), ElementsAre("1", "true", "x"));
    const auto second = (*answer)->next();
    EXPECT_EQ((*second)[0], std::nullopt);
    EXPECT_TRUE((*answer)->next()->empty());
    EXPECT_TRUE((*answer)->next()->empty());
  }
  for (const auto* statement : {"DELETE FROM t", "SELECT 1; SELECT 2", "COPY t TO STDOUT"}) {
    const auto written = (*reading)->ask(statement);
    EXPECT_FALSE(written) << statement;
  }
  EXPECT_THAT(*database->query("SELECT count(*) FROM t"), ElementsAre(ElementsAre("2")));
}

// Also if who writes does not begin as an analyser does.
TEST_F(OnAServer, NoLeaseIsClaimedBetweenALookAtItAndAWrite) {
  auto ledger = Ledger::open(server->url());
  ASSERT_TRUE(ledger) << ledger.error().message();
  ASSERT_TRUE(*ledger->claim("role=train", "one", {5, 10}, 1));
  const std::string insert =
      "INSERT INTO incidents VALUES ('i', 'role=train', 1, 'open', 1, 1, 'h', 'cpu', '', '', 5, "
      "10)";
  ASSERT_TRUE(database->run("BEGIN"));
  ASSERT_TRUE(database->run(insert));
  const auto claimed = ledger->claim("role=train", "two", {5, 12}, 2);
  ASSERT_FALSE(claimed);
  EXPECT_EQ(claimed.error().kind, base::ErrorKind::kBusy);
  ASSERT_TRUE(database->run("COMMIT"));
  EXPECT_TRUE(*ledger->claim("role=train", "two", {5, 12}, 2));
  const auto late = database->run("UPDATE incidents SET revision = 2");
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message(), HasSubstr("an older lease"));
}

TEST_F(OnAServer, ADatabaseThatIsNotOfUtf8IsRefused) {
  ASSERT_TRUE(database->run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0"));
  auto url = server->url();
  url.replace(url.find("/postgres?"), 10, "/latin?");
  const auto opened = open_database(url, Access::kWrite);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("ENCODING 'UTF8'"));
}

class Target : public testing::Test {
 protected:
  void SetUp() override {
    const auto api = load_pq();
    if (!api) GTEST_SKIP() << api.error().message();
    pq = *api;
    for (const char* name : {"PGHOST", "PGHOSTADDR", "PGSSLMODE", "PGSERVICE", "PGPASSWORD"}) {
      ::unsetenv(name);
    }
  }
  std::string sslmode(const std::string& url) const {
    const auto target = read_pq_url(*pq, url);
    EXPECT_TRUE(target) << url;
    for (const auto& [keyword, value] : target->parameters) {
      if (keyword == "sslmode") return value;
    }
    return "";
  }

  const PqApi* pq = nullptr;
};

TEST_F(Target, APasswordIsRefusedAndNeverTold) {
  for (const char* url : {"postgresql://u:s3cret@h/d", "postgres://h/d?password=s3cret",
                          "postgresql://u:s3cret@[h/d", "postgresql://u:s3cret%zz@h/d"}) {
    const auto target = read_pq_url(*pq, url);
    ASSERT_FALSE(target) << url;
    EXPECT_EQ(target.error().kind, base::ErrorKind::kUsage);
    EXPECT_THAT(target.error().message(), Not(HasSubstr("s3cret")));
  }
  ::setenv("PGPASSWORD", "s3cret", 1);
  const auto target = read_pq_url(*pq, "postgresql://h/d");
  ::unsetenv("PGPASSWORD");
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().message(), HasSubstr("PGPASSFILE"));
}

TEST_F(Target, BeyondThisHostTheCertificateIsChecked) {
  EXPECT_EQ(sslmode("postgresql://db.example.org/fleet"), "verify-full");
  EXPECT_EQ(sslmode("postgresql://db.example.org/fleet?sslmode=require"), "require");
  EXPECT_EQ(sslmode("postgresql://127.0.0.1/fleet"), "");
  EXPECT_EQ(sslmode("postgresql:///fleet?host=/run/postgresql"), "");
  EXPECT_EQ(sslmode("postgresql:///fleet?service=fleet"), "");
  EXPECT_EQ(sslmode("postgresql:///fleet?host=127.0.0.1&hostaddr=192.0.2.1"), "verify-full");
  EXPECT_EQ(read_pq_url(*pq, "postgres://u@db:5433/fleet")->name, "postgresql://db:5433/fleet");
}

TEST_F(Target, AServerThatIsNotThereIsAway) {
  const auto opened = open_database("postgresql:///d?host=/nowhere", Access::kRead);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAway);
  EXPECT_THAT(opened.error().message(), HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace reveal::ledger
