// Jobs whose hosts were compared with one another, in a database. ledger_test.cc says in which.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger.h"
#include "ledger/schema.h"
#include "ledger/testing/in_a_database.h"
#include "peers/job_name.h"
#include "wire/testing/made_messages.h"

namespace reveal::ledger {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kJobGroup = "east/job=slurm/4711";

peers::Incident incident_of(const std::string& group) {
  peers::Incident out;
  out.id = "00000000000000ef";
  out.group = group;
  out.onset_ns = 1000;
  out.end_ns = 4000;
  out.group_size = 4;
  peers::SlowHost host;
  host.id = "h";
  host.name = "n07";
  host.onset_ns = 1000;
  out.hosts.push_back(host);
  return out;
}

TEST_P(InADatabase, AJobIsExtendedByWhatIsKnownOfIt) {
  const auto jobs = [&] {
    return rows("SELECT group_key, kind, job, hosts, first_seen_ns, last_seen_ns FROM jobs");
  };
  ASSERT_TRUE(ledger->put_job({kJobGroup, 4, 2000, 3000}));
  EXPECT_THAT(jobs(), ElementsAre(ElementsAre(kJobGroup, "slurm", "4711", "4", "2000", "3000")));
  // Another analyser that began later knows less of it, and more of its end.
  ASSERT_TRUE(ledger->put_job({kJobGroup, 3, 2500, 5000}));
  EXPECT_THAT(jobs(), ElementsAre(ElementsAre(kJobGroup, "slurm", "4711", "4", "2000", "5000")));
  ASSERT_TRUE(ledger->put_job({kJobGroup, 5, 1000, 4000}));
  EXPECT_THAT(jobs(), ElementsAre(ElementsAre(kJobGroup, "slurm", "4711", "5", "1000", "5000")));
}

TEST_P(InADatabase, AHostIsInTheGroupOfItsJobAndBack) {
  ASSERT_TRUE(ledger->put_facts("h", "main", "role=train", wire::example_facts()));
  ASSERT_TRUE(ledger->put_group("h", kJobGroup));
  EXPECT_THAT(rows("SELECT group_key FROM hosts"), ElementsAre(ElementsAre(kJobGroup)));
  ASSERT_TRUE(ledger->put_group("h", "role=train"));
  ASSERT_TRUE(ledger->put_group("nobody", "role=train"));
  EXPECT_THAT(rows("SELECT id, group_key FROM hosts"), ElementsAre(ElementsAre("h", "role=train")));
}

TEST_P(InADatabase, AnIncidentSaysItsJob) {
  ASSERT_TRUE(ledger->put_incident(incident_of(kJobGroup), "{}"));
  EXPECT_THAT(rows("SELECT job, group_key FROM incidents"),
              ElementsAre(ElementsAre("4711", kJobGroup)));
  EXPECT_THAT(rows("SELECT sentence FROM incidents")[0][0],
              HasSubstr("host n07 of Slurm job 4711 of east"));
  auto other = incident_of("role=train");
  other.id = "00000000000000aa";
  ASSERT_TRUE(ledger->put_incident(other, "{}"));
  EXPECT_THAT(rows("SELECT id FROM incidents WHERE job = ''"), ElementsAre(ElementsAre(other.id)));
}

TEST_P(InADatabase, AJobIsForgottenWithItsLease) {
  ASSERT_TRUE(ledger->put_job({kJobGroup, 4, 2000, 3000}));
  ASSERT_TRUE(*ledger->claim(kJobGroup, "one", {5, 10}, 2000));
  ASSERT_TRUE(*ledger->claim("role=train", "one", {5, 11}, 1));
  EXPECT_FALSE(*ledger->forget(3000, 0));
  EXPECT_THAT(rows("SELECT group_key FROM leases ORDER BY group_key"),
              ElementsAre(ElementsAre(kJobGroup), ElementsAre("role=train")));
  EXPECT_FALSE(*ledger->forget(3001, 0));
  EXPECT_THAT(rows("SELECT job FROM jobs"), IsEmpty());
  EXPECT_THAT(rows("SELECT group_key FROM leases"), ElementsAre(ElementsAre("role=train")));
}

// As the version before jobs left it.
TEST_P(InADatabase, OneThatKnowsNoJobsGetsThem) {
  ASSERT_TRUE(ledger->put_incident(incident_of("role=train"), "{}"));
  auto& database = ledger->database();
  for (const auto* statement : {"DROP TABLE jobs", "DROP INDEX incidents_by_job",
                                "ALTER TABLE incidents DROP COLUMN job"}) {
    ASSERT_TRUE(database.run(statement)) << statement;
  }
  ASSERT_TRUE(database.run(GetParam() == Dialect::kSqlite
                               ? "PRAGMA user_version = 4"
                               : "UPDATE ledger_version SET version = 4"));
  reopen();
  EXPECT_EQ(*version_of(ledger->database()), newest_version());
  EXPECT_THAT(rows("SELECT id, job FROM incidents"),
              ElementsAre(ElementsAre("00000000000000ef", "")));
  ASSERT_TRUE(ledger->put_job({kJobGroup, 4, 2000, 3000}));
  EXPECT_THAT(rows("SELECT job FROM jobs"), ElementsAre(ElementsAre("4711")));
}

}  // namespace
}  // namespace reveal::ledger
