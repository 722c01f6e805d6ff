#include "ledger/ledger.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "ledger/schema.h"
#include "ledger/testing/in_a_database.h"
#include "wire/testing/made_messages.h"

namespace reveal::ledger {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

INSTANTIATE_TEST_SUITE_P(All, InADatabase, testing::Values(Dialect::kSqlite, Dialect::kPostgres),
                         [](const auto& one) {
                           return one.param == Dialect::kSqlite ? "Sqlite" : "Postgres";
                         });

peers::Incident made_incident() {
  peers::Incident out;
  out.id = "00000000000000ab";
  out.group = "role=train";
  out.onset_ns = 1000;
  out.end_ns = 4000;
  out.group_size = 9;
  peers::SlowHost host;
  host.id = "h";
  host.name = "n07";
  host.part = peers::Part::kCause;
  host.onset_ns = 1000;
  out.hosts.push_back(host);
  return out;
}

TEST_P(InADatabase, FactsOfAHostReplaceThoseBefore) {
  auto facts = wire::example_facts();
  ASSERT_TRUE(ledger->put_facts("h", "main", "role=train", facts));
  facts.facts = {{"cpufreq", "governor of cpu 0-47", "performance"}};
  facts.labels.clear();
  ASSERT_TRUE(ledger->put_facts("h", "main", "role=train", facts));
  EXPECT_THAT(rows("SELECT name, group_key, standing FROM hosts"),
              ElementsAre(ElementsAre("node-7", "role=train", "unknown")));
  EXPECT_THAT(rows("SELECT text FROM facts WHERE source <> 'host'"),
              ElementsAre(ElementsAre("performance")));
  ASSERT_TRUE(ledger->put_standing("h", "compared"));
  EXPECT_THAT(rows("SELECT standing FROM hosts"), ElementsAre(ElementsAre("compared")));
}

TEST_P(InADatabase, AnEventThatComesAgainOrLateChangesNothing) {
  auto event = wire::example_event();
  event.revision = 3;
  event.what = wire::What::kClosed;
  ASSERT_TRUE(ledger->put_event("h", event));
  event.revision = 2;
  event.what = wire::What::kUpdated;
  ASSERT_TRUE(ledger->put_event("h", event));
  EXPECT_THAT(rows("SELECT id, revision, state, subsystem, severity FROM findings"),
              ElementsAre(ElementsAre("F1", "3", "closed", "network", "moderate")));
}

TEST_P(InADatabase, AnIncidentIsKeptOnceOverARestart) {
  auto incident = made_incident();
  ASSERT_TRUE(ledger->put_incident(incident, "{}"));
  reopen();
  incident.revision = 2;
  incident.is_open = false;
  ASSERT_TRUE(ledger->put_incident(incident, R"({"a":"'"})"));
  EXPECT_THAT(rows("SELECT id, revision, state, host, detail FROM incidents"),
              ElementsAre(ElementsAre("00000000000000ab", "2", "closed", "h", R"({"a":"'"})")));
  EXPECT_THAT(rows("SELECT name, part FROM incident_hosts"),
              ElementsAre(ElementsAre("n07", "cause")));
  EXPECT_THAT(rows("SELECT sentence FROM incidents")[0][0], HasSubstr("host n07 was slow"));
}

TEST_P(InADatabase, AnOlderRevisionOfAnIncidentChangesNothing) {
  auto incident = made_incident();
  incident.revision = 3;
  ASSERT_TRUE(ledger->put_incident(incident, "three"));
  incident.revision = 1;
  incident.is_open = false;
  incident.hosts[0].part = peers::Part::kVictim;
  ASSERT_TRUE(ledger->put_incident(incident, "one"));
  EXPECT_THAT(rows("SELECT revision, state, detail FROM incidents"),
              ElementsAre(ElementsAre("3", "open", "three")));
  EXPECT_THAT(rows("SELECT part FROM incident_hosts"), ElementsAre(ElementsAre("cause")));
  EXPECT_THAT(*ledger->open_incidents(), ElementsAre("three"));
}

TEST_P(InADatabase, WhatWasRolledBackIsNotThereAndCanBeDoneAgain) {
  ledger->roll_back();
  ASSERT_TRUE(ledger->begin());
  ASSERT_TRUE(ledger->put_incident(made_incident(), "{}"));
  ledger->roll_back();
  EXPECT_THAT(rows("SELECT id FROM incidents"), IsEmpty());
  ASSERT_TRUE(ledger->begin());
  ASSERT_TRUE(ledger->put_incident(made_incident(), "{}"));
  ASSERT_TRUE(ledger->commit());
  EXPECT_THAT(rows("SELECT id FROM incidents"), SizeIs(1));
}

TEST_P(InADatabase, IncidentsThatNobodySawEndAreClosed) {
  auto incident = made_incident();
  ASSERT_TRUE(ledger->put_incident(incident, "{}"));
  incident.id = "00000000000000cd";
  ASSERT_TRUE(ledger->put_incident(incident, "{}"));
  EXPECT_EQ(*ledger->close_others("role=train", {"00000000000000cd"}), 1u);
  EXPECT_THAT(rows("SELECT state FROM incidents ORDER BY id"),
              ElementsAre(ElementsAre("ended_unseen"), ElementsAre("open")));
}

TEST_P(InADatabase, WhatComesUnderAnOlderLeaseIsRefused) {
  EXPECT_TRUE(*ledger->claim("role=train", "one", {5, 10}, 1));
  EXPECT_EQ(*ledger->put_incident(made_incident(), "one", {5, 10}), Put::kWritten);
  EXPECT_TRUE(*ledger->claim("role=train", "other", {5, 12}, 2));
  auto incident = made_incident();
  incident.revision = 2;
  EXPECT_EQ(*ledger->put_incident(incident, "two", {5, 10}), Put::kRefused);
  EXPECT_EQ(*ledger->close_others("role=train", {}, {5, 10}), 0u);
  EXPECT_FALSE(*ledger->claim("role=train", "one", {5, 10}, 3));
  EXPECT_THAT(rows("SELECT revision, state, detail, lease FROM incidents"),
              ElementsAre(ElementsAre("1", "open", "one", "10")));
  EXPECT_EQ(*ledger->put_incident(incident, "two", {5, 12}), Put::kWritten);
  // A bucket that was made anew counts from 1.
  EXPECT_TRUE(*ledger->claim("role=train", "one", {6, 1}, 4));
  incident.revision = 3;
  EXPECT_EQ(*ledger->put_incident(incident, "three", {5, 12}), Put::kRefused);
  EXPECT_EQ(*ledger->put_incident(incident, "three", {6, 1}), Put::kWritten);
  // Another group is another lease.
  incident.id = "00000000000000cd";
  incident.group = "role=serve";
  EXPECT_EQ(*ledger->put_incident(incident, "x", {1, 1}), Put::kWritten);
}

// The file refuses it, whatever program writes.
TEST_P(InADatabase, TheFileItselfRefusesAnOlderLease) {
  ASSERT_TRUE(*ledger->claim("role=train", "one", {5, 10}, 1));
  ASSERT_TRUE(ledger->put_incident(made_incident(), "one", {5, 10}));
  auto& database = ledger->database();
  for (const auto* statement :
       {"UPDATE incidents SET state = 'closed', lease = 9",
        "INSERT INTO incidents SELECT '7', group_key, 7, state, onset_ns, end_ns, host, "
        "subsystem, sentence, detail, 4, 11, job FROM incidents",
        "UPDATE leases SET lease = 9"}) {
    const auto done = database.run(statement);
    ASSERT_FALSE(done) << statement;
    EXPECT_THAT(done.error().message(), HasSubstr("an older lease"));
  }
  EXPECT_THAT(rows("SELECT revision, state, lease FROM incidents"),
              ElementsAre(ElementsAre("1", "open", "10")));
  EXPECT_TRUE(database.run("UPDATE incidents SET state = 'closed', lease = 11"));
}

TEST_P(InADatabase, IncidentsOfAGroupThatAreOpenOrEndedOfLate) {
  auto incident = made_incident();
  for (const auto& [id, group, end_ns, is_open] :
       {std::tuple("1", "role=train", 10, true), std::tuple("2", "role=train", 10, false),
        std::tuple("3", "role=train", 50, false), std::tuple("4", "role=serve", 50, true)}) {
    incident.id = id;
    incident.group = group;
    incident.end_ns = end_ns;
    incident.is_open = is_open;
    ASSERT_TRUE(ledger->put_incident(incident, id));
  }
  EXPECT_THAT(*ledger->incidents_since("role=train", 20), ElementsAre("1", "3"));
}

TEST_P(InADatabase, OneOfTheFirstVersionIsBroughtToThisOne) {
  ledger.reset();
  {
    const auto old = another();
    ASSERT_TRUE(old->run(GetParam() == Dialect::kSqlite
                             ? "PRAGMA writable_schema = 1; DELETE FROM sqlite_master; "
                               "PRAGMA writable_schema = 0; VACUUM"
                             : "DROP SCHEMA public CASCADE; CREATE SCHEMA public"));
    ASSERT_TRUE(old->run(migration(1, GetParam())));
    ASSERT_TRUE(
        old->run("INSERT INTO incidents VALUES ('i', 'role=train', 1, 'open', "
                 "1700000000000000000, 1700000000000000001, 'h', 'cpu', '', 'old')"));
  }
  reopen();
  EXPECT_THAT(rows("SELECT detail, onset_ns, lease FROM incidents"),
              ElementsAre(ElementsAre("old", "1700000000000000000", "0")));
  EXPECT_TRUE(*ledger->claim("role=train", "one", {5, 10}, 1));
}

TEST_P(InADatabase, SeveralThatOpenItAtOnceMakeItOnce) {
  if (server) {
    ASSERT_TRUE(ledger->database().run("CREATE SCHEMA fresh"));
  }
  const std::string fresh = server ? server->url("&options=-csearch_path%3Dfresh")
                                   : (folder.path() / "fresh.db").string();
  std::atomic<int> opened = 0;
  std::vector<std::thread> openers;
  openers.reserve(4);
  for (int i = 0; i < 4; ++i) {
    openers.emplace_back([&] {
      base::Result<Ledger> one = Ledger::open(fresh);
      while (!one && one.error().kind == base::ErrorKind::kBusy) one = Ledger::open(fresh);
      EXPECT_TRUE(one) << one.error().message();
      if (one) ++opened;
    });
  }
  for (auto& one : openers) one.join();
  EXPECT_EQ(opened, 4);
}

// Not told apart before: bytes that are not text, and one fact told twice.
TEST_P(InADatabase, WhateverAHostTellsIsKept) {
  auto facts = wire::example_facts();
  facts.facts.clear();
  for (int i = 0; i < 100; ++i) facts.facts.push_back({"s", "subject " + std::to_string(i), "x"});
  facts.facts.push_back({"s", "subject 0", "last"});
  facts.facts.push_back({"s", std::string("a zero\0", 7), "\xFF it's $1 ?1"});
  ASSERT_TRUE(ledger->put_facts("h", "main", "role=train", facts));
  EXPECT_THAT(rows("SELECT count(*) FROM facts WHERE source = 's'"),
              ElementsAre(ElementsAre("101")));
  EXPECT_THAT(rows("SELECT text FROM facts WHERE subject = 'subject 0'"),
              ElementsAre(ElementsAre("last")));
  EXPECT_THAT(rows("SELECT text FROM facts WHERE subject LIKE 'a zero%'")[0][0],
              HasSubstr("it's $1 ?1"));
}

TEST_P(InADatabase, AUserIsAnsweredAndCanWriteNothing) {
  ASSERT_TRUE(ledger->put_incident(made_incident(), "it's"));
  const auto reading = open_database(where(), Access::kRead);
  ASSERT_TRUE(reading) << reading.error().message();
  {
    const auto answer =
        (*reading)->ask("SELECT onset_ns, detail, NULL AS empty FROM incidents -- x");
    ASSERT_TRUE(answer) << answer.error().message();
    const auto row = (*answer)->next();
    ASSERT_TRUE(row);
    EXPECT_THAT(std::vector<Cell>(row->begin(), row->end()),
                ElementsAre("1000", "it's", std::nullopt));
    const auto& columns = (*answer)->columns();
    EXPECT_EQ(columns.at(0).kind, CellKind::kNumber);
    EXPECT_EQ(columns.at(1).kind, CellKind::kText);
    EXPECT_EQ(columns.at(2).name, "empty");
    EXPECT_TRUE((*answer)->next()->empty());
    EXPECT_TRUE((*answer)->next()->empty());
  }
  EXPECT_TRUE((*reading)->ask("SELECT id FROM incidents WHERE id = 'none';"));
  const auto copy = (folder.path() / "copy.db").string();
  for (const auto& statement :
       {std::string("DELETE FROM incidents"), std::string("SELECT 1; SELECT 2"),
        std::string("nonsense"), std::string("CREATE TABLE t (a INTEGER)"),
        std::string("VACUUM INTO '" + copy + "'")}) {
    const auto again = open_database(where(), Access::kRead);
    ASSERT_TRUE(again);
    const auto answer = (*again)->ask(statement);
    EXPECT_TRUE(!answer || !(*answer)->next()) << statement;
  }
  EXPECT_FALSE(std::filesystem::exists(copy));
  EXPECT_THAT(rows("SELECT count(*) FROM incidents"), ElementsAre(ElementsAre("1")));
}

TEST_P(InADatabase, WhatIsOldIsForgottenButNothingThatIsOpen) {
  auto incident = made_incident();
  for (const auto& [id, end_ns, is_open] :
       {std::tuple("1", 10, true), std::tuple("2", 10, false), std::tuple("3", 50, false)}) {
    incident.id = id;
    incident.end_ns = end_ns;
    incident.is_open = is_open;
    ASSERT_TRUE(ledger->put_incident(incident, id));
  }
  auto event = wire::example_event();
  for (const std::int64_t end_ns : {10, 50}) {
    event.finding = "F" + std::to_string(end_ns);
    event.onset_ns = 5;
    event.end_ns = end_ns;
    ASSERT_TRUE(ledger->put_event("h", event));
  }
  auto facts = wire::example_facts();
  for (const std::int64_t time_ns : {10, 50}) {
    facts.head.time_ns = time_ns;
    ASSERT_TRUE(ledger->put_facts("h" + std::to_string(time_ns), "main", "role=train", facts));
  }
  EXPECT_FALSE(*ledger->forget(50, 50));
  EXPECT_THAT(rows("SELECT id FROM incidents ORDER BY id"),
              ElementsAre(ElementsAre("1"), ElementsAre("3")));
  EXPECT_THAT(rows("SELECT incident FROM incident_hosts ORDER BY incident"),
              ElementsAre(ElementsAre("1"), ElementsAre("3")));
  EXPECT_THAT(rows("SELECT id FROM findings"), ElementsAre(ElementsAre("F50")));
  EXPECT_THAT(rows("SELECT id FROM hosts"), ElementsAre(ElementsAre("h50")));
  EXPECT_THAT(rows("SELECT DISTINCT host FROM facts"), ElementsAre(ElementsAre("h50")));
}

TEST_P(InADatabase, MuchThatIsOldIsForgottenInParts) {
  ASSERT_TRUE(ledger->begin());
  auto event = wire::example_event();
  event.onset_ns = event.end_ns = 5;
  for (int i = 0; i < 700; ++i) {
    event.finding = "F" + std::to_string(i);
    ASSERT_TRUE(ledger->put_event("h", event));
  }
  ASSERT_TRUE(ledger->commit());
  EXPECT_TRUE(*ledger->forget(50, 50));
  EXPECT_THAT(rows("SELECT count(*) FROM findings"), ElementsAre(ElementsAre("200")));
  EXPECT_FALSE(*ledger->forget(50, 50));
}

peers::LateSecond late_second(std::int64_t begin_ns) {
  peers::LateSecond out{.host = "h", .head = {}, .message = "0a", .stored_ns = 0};
  out.head.head.run = 0xAB;
  out.head.head.time_ns = begin_ns;
  out.head.dictionary = 0xFFFFFFFF;
  out.head.votes = 2;
  out.head.strength = 1.5F;
  return out;
}

TEST_P(InADatabase, ALateSecondIsKeptOnce) {
  const std::vector<peers::LateSecond> seconds{late_second(1000), late_second(2000),
                                               late_second(3000)};
  ASSERT_TRUE(ledger->put_late_seconds(seconds));
  auto again = late_second(2000);
  again.message = "0b";
  const std::vector<peers::LateSecond> more{again, late_second(4000)};
  ASSERT_TRUE(ledger->put_late_seconds(more));
  EXPECT_THAT(rows("SELECT begin_ns, message FROM late_seconds ORDER BY begin_ns"),
              ElementsAre(ElementsAre("1000", "0a"), ElementsAre("2000", "0a"),
                          ElementsAre("3000", "0a"), ElementsAre("4000", "0a")));
  EXPECT_THAT(rows("SELECT host, run, judged, votes, strength_percent, dictionary FROM "
                   "late_seconds WHERE begin_ns = 1000"),
              ElementsAre(ElementsAre("h", "00000000000000ab", "1", "2", "150", "4294967295")));
}

TEST_P(InADatabase, LateSecondsAreForgottenAtTheirOwnTimeAndTheirDictionariesWithThem) {
  std::vector<peers::LateSecond> seconds;
  for (std::int64_t ns = 0; ns < 700; ++ns) seconds.push_back(late_second(ns));
  const std::vector<peers::LateDictionary> dictionaries{{0xFFFFFFFF, "01"}, {7, "02"}};
  ASSERT_TRUE(ledger->put_late_seconds(seconds));
  ASSERT_TRUE(ledger->put_late_dictionaries(dictionaries));
  EXPECT_TRUE(*ledger->forget(0, 600));
  EXPECT_THAT(rows("SELECT count(*) FROM late_seconds"), ElementsAre(ElementsAre("200")));
  EXPECT_THAT(rows("SELECT number FROM late_dictionaries"), ElementsAre(ElementsAre("4294967295")));
  EXPECT_FALSE(*ledger->forget(0, 600));
  EXPECT_THAT(rows("SELECT min(begin_ns) FROM late_seconds"), ElementsAre(ElementsAre("600")));
  EXPECT_FALSE(*ledger->forget(0, 700));
  EXPECT_THAT(rows("SELECT number FROM late_dictionaries"), IsEmpty());
}

TEST_P(InADatabase, AnIncidentThatIsPutAgainIsKnownAsOursByItsLease) {
  const auto incident = made_incident();
  EXPECT_EQ(*ledger->put_incident(incident, "{}", {5, 10}), Put::kWritten);
  EXPECT_EQ(*ledger->put_incident(incident, "{}", {5, 10}), Put::kOurs);
  EXPECT_EQ(*ledger->put_incident(incident, "{}", {5, 12}), Put::kKnown);
}

// What a claim waits for: none that began before it ends after it.
TEST_P(InADatabase, WhoWritesUnderAnOlderLeaseIsDoneBeforeTheNextOneClaims) {
  ASSERT_TRUE(*ledger->claim("role=train", "one", {5, 10}, 1));
  auto next = Ledger::open(where());
  ASSERT_TRUE(next);
  ASSERT_TRUE(ledger->begin());
  ASSERT_TRUE(ledger->put_incident(made_incident(), "{}", {5, 10}));
  const auto begun = next->begin();
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().kind, base::ErrorKind::kBusy);
  ASSERT_TRUE(ledger->commit());
  ASSERT_TRUE(next->begin());
  EXPECT_TRUE(*next->claim("role=train", "two", {5, 12}, 2));
  EXPECT_THAT(*next->incidents_since("role=train", 0), SizeIs(1));
  ASSERT_TRUE(next->commit());
}

TEST_P(InADatabase, WhatIsPutBetweenBeginAndCommitIsWrittenAtOnceOrNotAtAll) {
  ASSERT_TRUE(ledger->begin());
  ASSERT_TRUE(ledger->put_incident(made_incident(), "{}"));
  reopen();
  EXPECT_THAT(rows("SELECT id FROM incidents"), IsEmpty());
  ASSERT_TRUE(ledger->begin());
  ASSERT_TRUE(ledger->put_incident(made_incident(), "{}"));
  ASSERT_TRUE(ledger->commit());
  reopen();
  EXPECT_THAT(rows("SELECT id FROM incidents"), SizeIs(1));
}

TEST_P(InADatabase, OneOfANewerVersionIsRefused) {
  EXPECT_EQ(*version_of(ledger->database()), newest_version());
  ASSERT_TRUE(ledger->database().run(GetParam() == Dialect::kSqlite
                                         ? "PRAGMA user_version = 99"
                                         : "UPDATE ledger_version SET version = 99"));
  ledger.reset();
  const auto opened = Ledger::open(where());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(opened.error().message(), HasSubstr("of version 99"));
}

TEST(Ledger, AFileThatIsNoneOfSqliteIsRefused) {
  const base::TempDir folder;
  const auto file = folder.path() / "text";
  {
    const auto database = open_database(folder.path() / "none" / "fleet.db", Access::kWrite);
    ASSERT_FALSE(database);
    EXPECT_THAT(database.error().message(), HasSubstr("cannot be opened"));
  }
  ASSERT_TRUE(base::write_new_file(file, std::string(4096, 'x')));
  const auto opened = Ledger::open(file);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kCorrupt);
}

}  // namespace
}  // namespace reveal::ledger
