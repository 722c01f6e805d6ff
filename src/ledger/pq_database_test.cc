#include "ledger/pq_database.h"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "ledger/ledger.h"
#include "ledger/pq_library.h"
#include "ledger/pq_target.h"
#include "ledger/testing/postgres_server.h"

namespace reveal::ledger {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Tries until it works, as who keeps incidents does.
base::Result<void> patiently(const std::function<base::Result<void>()>& what) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (;;) {
    auto done = what();
    if (done || std::chrono::steady_clock::now() > until) return done;
    EXPECT_EQ(done.error().kind, base::ErrorKind::kAway) << done.error().message();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

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

std::string url_of(const std::vector<std::string>& folders, const std::string& more = {}) {
  std::string hosts;
  for (const auto& one : folders) hosts += (hosts.empty() ? "" : ",") + one;
  return "postgresql:///postgres?host=" + hosts + "&user=reveal" + more;
}

TEST_F(OnAServer, OfSeveralHostsOneMayBeDead) {
  const auto both = open_database(url_of({"/nowhere", server->folder()}), Access::kWrite);
  ASSERT_TRUE(both) << both.error().message();
  EXPECT_TRUE((*both)->run("INSERT INTO t VALUES (1)"));
  EXPECT_EQ((*both)->name(), "postgresql:///nowhere:5432," + server->folder() + ":5432/postgres");
  const auto none = open_database(url_of({"/nowhere", "/neither"}), Access::kWrite);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, base::ErrorKind::kAway);
  EXPECT_THAT(none.error().message(), AllOf(HasSubstr("/nowhere/.s"), HasSubstr("/neither/.s")));
}

// As a machine does whose power is gone, or one that is suspended.
TEST_F(OnAServer, ASilentHostLeavesTimeForTheNextOne) {
  const base::TempDir folder;
  const int silent = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const auto path = (folder.path() / ".s.PGSQL.5432").string();
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(silent, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(::listen(silent, 8), 0);
  const auto begin = std::chrono::steady_clock::now();
  const auto opened =
      open_database(url_of({folder.path().string(), server->folder()}), Access::kWrite);
  ::close(silent);
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_TRUE((*opened)->run("INSERT INTO t VALUES (1)"));
}

TEST_F(OnAServer, WhoWritesFollowsAFailover) {
  PostgresServer second;
  {
    const auto there = open_database(second.url(), Access::kWrite);
    ASSERT_TRUE(there) << there.error().message();
    ASSERT_TRUE((*there)->run("CREATE TABLE t (a BIGINT)"));
  }
  second.become_standby();
  const auto only_reads =
      open_database(second.url("&target_session_attrs=read-write"), Access::kWrite);
  ASSERT_FALSE(only_reads);
  EXPECT_EQ(only_reads.error().kind, base::ErrorKind::kAway);
  EXPECT_THAT(only_reads.error().message(), HasSubstr("read-only"));

  const auto both = url_of({server->folder(), second.folder()});
  const auto opened = open_database(both, Access::kWrite);
  ASSERT_TRUE(opened) << opened.error().message();
  auto& writer = **opened;
  ASSERT_TRUE(writer.run("INSERT INTO t VALUES (1)"));
  server->kill();
  while (writer.query("SELECT a FROM t")) {
  }
  {
    const auto standby = open_database(second.url(), Access::kRead);
    ASSERT_TRUE(standby) << standby.error().message();
    EXPECT_THAT(*(*standby)->query("SELECT pg_promote()"), ElementsAre(ElementsAre("t")));
  }
  ASSERT_TRUE(patiently([&] { return writer.run("INSERT INTO t VALUES (2)"); }));
  // The one of before is back, and is tried first, but only reads now.
  server->become_standby();
  ASSERT_TRUE(writer.run("INSERT INTO t VALUES (3)"));
  const auto again = open_database(both, Access::kWrite);
  ASSERT_TRUE(again) << again.error().message();
  ASSERT_TRUE((*again)->run("INSERT INTO t VALUES (4)"));
  EXPECT_THAT(*(*again)->query("SELECT a FROM t ORDER BY a"),
              ElementsAre(ElementsAre("2"), ElementsAre("3"), ElementsAre("4")));

  const auto is_standby = [&](const std::vector<std::string>& folders, const std::string& more) {
    const auto reader = open_database(url_of(folders, more), Access::kRead);
    EXPECT_TRUE(reader) << reader.error().message();
    return (*reader)->query("SELECT pg_is_in_recovery()")->at(0).at(0);
  };
  EXPECT_EQ(is_standby({server->folder(), second.folder()}, ""), "t");
  EXPECT_EQ(is_standby({server->folder(), second.folder()}, "&target_session_attrs=primary"), "f");
  const std::string standbys = "&target_session_attrs=prefer-standby";
  EXPECT_EQ(is_standby({second.folder(), server->folder()}, standbys), "t");
  EXPECT_EQ(is_standby({second.folder(), "/nowhere"}, standbys), "f");
}

class Target : public testing::Test {
 protected:
  void SetUp() override {
    const auto api = load_pq();
    if (!api) GTEST_SKIP() << api.error().message();
    pq = *api;
    for (const char* name : {"PGHOST", "PGHOSTADDR", "PGPORT", "PGSSLMODE", "PGSERVICE",
                             "PGPASSWORD", "PGTARGETSESSIONATTRS"}) {
      ::unsetenv(name);
    }
  }
  PqTarget target(const std::string& url, Access access = Access::kRead) const {
    auto out = read_pq_url(*pq, url, access);
    EXPECT_TRUE(out) << url << ": " << out.error().message();
    return out ? std::move(*out) : PqTarget{{PqServer()}, ""};
  }
  // Returns a parameter of each server.
  static std::vector<std::string> each(const PqTarget& target, const std::string& keyword) {
    std::vector<std::string> out;
    for (const auto& server : target.servers) {
      out.emplace_back();
      for (const auto& [name, value] : server.parameters) {
        if (name == keyword) out.back() = value;
      }
    }
    return out;
  }
  std::string sslmode(const std::string& url) const { return each(target(url), "sslmode").front(); }

  const PqApi* pq = nullptr;
};

TEST_F(Target, APasswordIsRefusedAndNeverTold) {
  for (const char* url :
       {"postgresql://u:s3cret@h/d", "postgres://h/d?password=s3cret", "postgresql://u:s3cret@[h/d",
        "postgresql://u:s3cret%zz@h/d",
        // Of several hosts.
        "postgresql://u:s3cret@h1:5432,h2:5432/d?target_session_attrs=read-write",
        "postgresql://h1,h2/d?password=s3cret", "postgresql://h1,u:s3cret@h2/d",
        // libpq takes these for a port, a host or the database.
        "postgresql://u@h1,u:s3cret@h2/d", "postgresql://u@h1:5432,u:s3cret@h2:5432/d",
        "postgresql://u@example.org:s3cret@h/d", "postgresql://h:s3cret",
        "postgresql://u:12/s3cret@h/d", "postgresql:///d?host=h1,u:s3cret@h2",
        "postgresql:///d?hostaddr=u:s3cret@h", "postgresql:///d?port=5432,s3cret"}) {
    const auto target = read_pq_url(*pq, url, Access::kRead);
    ASSERT_FALSE(target) << url;
    EXPECT_EQ(target.error().kind, base::ErrorKind::kUsage);
    EXPECT_THAT(target.error().message(), Not(HasSubstr("s3cret")));
  }
  ::setenv("PGPASSWORD", "s3cret", 1);
  const auto target = read_pq_url(*pq, "postgresql://h/d", Access::kRead);
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
  EXPECT_EQ(target("postgres://u@db:5433/fleet").name, "postgresql://db:5433/fleet");
  // Of several hosts, of each.
  EXPECT_THAT(each(target("postgresql:///d?host=/run/postgresql,db,localhost"), "sslmode"),
              ElementsAre("", "verify-full", ""));
  EXPECT_THAT(
      each(target("postgresql:///d?host=localhost,localhost&hostaddr=192.0.2.1,"), "sslmode"),
      ElementsAre("verify-full", ""));
}

TEST_F(Target, SeveralHostsAreServersOfTheirOwn) {
  const auto of = target("postgresql://u@h1:5433,[2001:db8::1],h3:5434/d?connect_timeout=3");
  EXPECT_EQ(of.name, "postgresql://h1:5433,[2001:db8::1]:5432,h3:5434/d");
  EXPECT_THAT(each(of, "host"), ElementsAre("h1", "2001:db8::1", "h3"));
  EXPECT_THAT(each(of, "port"), ElementsAre("5433", "5432", "5434"));
  EXPECT_THAT(each(of, "user"), ElementsAre("u", "u", "u"));
  EXPECT_EQ(of.servers[2].name, "postgresql://h3:5434/d");
  EXPECT_THAT(
      each(target("postgresql:///d?host=a,b&hostaddr=192.0.2.1,192.0.2.2&port=6000"), "hostaddr"),
      ElementsAre("192.0.2.1", "192.0.2.2"));
  EXPECT_THAT(each(target("postgresql:///d?host=a,b&port=6000"), "port"),
              ElementsAre("6000", "6000"));
  ::setenv("PGHOST", "a,b", 1);
  EXPECT_THAT(each(target("postgresql:///d"), "host"), ElementsAre("a", "b"));
  ::unsetenv("PGHOST");
  // libpq says what is wrong with these.
  EXPECT_THAT(each(target("postgresql:///d?host=a,b&port=1,2,3"), "port"), ElementsAre("1,2,3"));
  EXPECT_THAT(each(target("postgresql:///d?host=a,b&hostaddr=192.0.2.1"), "host"),
              ElementsAre("a,b"));
  // It alone knows what a service has.
  EXPECT_THAT(each(target("postgresql://a,b/d?service=fleet"), "host"), ElementsAre("a,b"));
}

TEST_F(Target, WhoWritesTakesAServerThatCanBeWritten) {
  const std::string attributes = "target_session_attrs";
  const auto wanted = [&](const std::string& url, Access access) {
    return each(target(url, access), attributes);
  };
  EXPECT_THAT(wanted("postgresql://a,b/d", Access::kWrite),
              ElementsAre("read-write", "read-write"));
  EXPECT_THAT(wanted("postgresql://a,b/d", Access::kRead), ElementsAre("", ""));
  EXPECT_THAT(wanted("postgresql://a/d", Access::kWrite), ElementsAre(""));
  EXPECT_THAT(wanted("postgresql://a,b/d?target_session_attrs=primary", Access::kWrite),
              ElementsAre("primary", "primary"));
  EXPECT_THAT(wanted("postgresql://a,b/d?target_session_attrs=prefer-standby", Access::kRead),
              ElementsAre("standby", "standby", "any", "any"));
}

TEST_F(Target, AServerThatIsNotThereIsAway) {
  const auto opened = open_database("postgresql:///d?host=/nowhere", Access::kRead);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAway);
  EXPECT_THAT(opened.error().message(), HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace reveal::ledger
