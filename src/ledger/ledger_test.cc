#include "ledger/ledger.h"

#include <optional>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "ledger/schema.h"
#include "wire/testing/made_messages.h"

namespace reveal::ledger {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class InAFile : public testing::Test {
 protected:
  void SetUp() override { reopen(); }
  void reopen() {
    ledger.reset();
    auto opened = Ledger::open(file());
    ASSERT_TRUE(opened) << opened.error().message();
    ledger.emplace(std::move(*opened));
  }
  std::filesystem::path file() const { return folder.path() / "fleet.db"; }
  std::vector<Row> rows(const std::string& statement) {
    auto out = ledger->database().query(statement);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : std::vector<Row>();
  }

  base::TempDir folder;
  std::optional<Ledger> ledger;
};

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

TEST_F(InAFile, FactsOfAHostReplaceThoseBefore) {
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

TEST_F(InAFile, AnEventThatComesAgainOrLateChangesNothing) {
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

TEST_F(InAFile, AnIncidentIsKeptOnceOverARestart) {
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

TEST_F(InAFile, AnOlderRevisionOfAnIncidentChangesNothing) {
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

TEST_F(InAFile, WhatWasRolledBackIsNotThereAndCanBeDoneAgain) {
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

TEST_F(InAFile, IncidentsThatNobodySawEndAreClosed) {
  auto incident = made_incident();
  ASSERT_TRUE(ledger->put_incident(incident, "{}"));
  incident.id = "00000000000000cd";
  ASSERT_TRUE(ledger->put_incident(incident, "{}"));
  EXPECT_EQ(*ledger->close_others("role=train", {"00000000000000cd"}), 1u);
  EXPECT_THAT(rows("SELECT state FROM incidents ORDER BY id"),
              ElementsAre(ElementsAre("ended_unseen"), ElementsAre("open")));
}

TEST_F(InAFile, WhatComesUnderAnOlderLeaseIsRefused) {
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
TEST_F(InAFile, TheFileItselfRefusesAnOlderLease) {
  ASSERT_TRUE(*ledger->claim("role=train", "one", {5, 10}, 1));
  ASSERT_TRUE(ledger->put_incident(made_incident(), "one", {5, 10}));
  auto& database = ledger->database();
  for (const auto* statement :
       {"UPDATE incidents SET state = 'closed', lease = 9",
        "INSERT OR REPLACE INTO incidents SELECT id, group_key, 7, state, onset_ns, end_ns, host, "
        "subsystem, sentence, detail, 4, 11 FROM incidents",
        "UPDATE leases SET lease = 9"}) {
    const auto done = database.run(statement);
    ASSERT_FALSE(done) << statement;
    EXPECT_THAT(done.error().message(), HasSubstr("an older lease"));
  }
  EXPECT_THAT(rows("SELECT revision, state, lease FROM incidents"),
              ElementsAre(ElementsAre("1", "open", "10")));
  EXPECT_TRUE(database.run("UPDATE incidents SET state = 'closed', lease = 11"));
}

TEST_F(InAFile, IncidentsOfAGroupThatAreOpenOrEndedOfLate) {
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

TEST_F(InAFile, AFileOfTheFirstVersionIsBroughtToThisOne) {
  ASSERT_TRUE(ledger->put_incident(made_incident(), "old"));
  ledger.reset();
  {
    const auto old = open_database(file(), Access::kWrite);
    ASSERT_TRUE(old);
    ASSERT_TRUE(
        (*old)->run("DROP TRIGGER incidents_insert_under_lease; "
                    "DROP TRIGGER incidents_update_under_lease; DROP TABLE leases; "
                    "ALTER TABLE incidents DROP COLUMN era; "
                    "ALTER TABLE incidents DROP COLUMN lease; PRAGMA user_version = 1"));
  }
  reopen();
  EXPECT_THAT(rows("SELECT detail, lease FROM incidents"), ElementsAre(ElementsAre("old", "0")));
  EXPECT_TRUE(*ledger->claim("role=train", "one", {5, 10}, 1));
}

TEST_F(InAFile, WhatIsPutBetweenBeginAndCommitIsWrittenAtOnceOrNotAtAll) {
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

TEST_F(InAFile, AFileOfANewerVersionIsRefused) {
  EXPECT_THAT(rows("PRAGMA user_version"),
              ElementsAre(ElementsAre(std::to_string(newest_version()))));
  ASSERT_TRUE(ledger->database().run("PRAGMA user_version = 99"));
  ledger.reset();
  const auto opened = Ledger::open(file());
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
