#include "ledger/fleet_report.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "ledger/database.h"
#include "ledger/ledger.h"
#include "ledger/schema.h"
#include "peers/json.h"

namespace reveal::ledger {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kMinute = 60'000'000'000;
constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;  // 2023-11-14T22:13:20Z

peers::SlowHost slow(const std::string& name, std::int64_t from_min, std::int64_t to_min) {
  peers::SlowHost out;
  out.id = "id of " + name;
  out.name = name;
  out.onset_ns = kBegin + from_min * kMinute;
  out.last_ns = kBegin + to_min * kMinute;
  return out;
}

// The first host is the cause.
peers::Incident made(std::vector<peers::SlowHost> hosts, model::Subsystem subsystem) {
  peers::Incident out;
  out.id = hosts.front().name + std::to_string(hosts.front().onset_ns);
  out.group = "role=train";
  out.group_size = 9;
  out.is_open = false;
  out.onset_ns = hosts.front().onset_ns;
  for (auto& host : hosts) {
    host.part = peers::Part::kVictim;
    out.end_ns = std::max(out.end_ns, host.last_ns);
  }
  hosts.front().part = peers::Part::kCause;
  peers::Evidence evidence;
  evidence.quantity.subsystem = subsystem;
  evidence.quantity.label = "Retransmitted segments";
  hosts.front().evidence.push_back(evidence);
  out.hosts = std::move(hosts);
  return out;
}

FleetReport report(const std::vector<peers::Incident>& incidents) {
  return fleet_report_of(incidents, kBegin, kBegin + 100 * kMinute);
}

TEST(FleetReport, OfNothingHasNoRows) {
  EXPECT_THAT(report({}).costly, IsEmpty());
  EXPECT_THAT(to_text(report({})), HasSubstr("0 incidents, 0 open"));
}

TEST(FleetReport, WhoWaitsIsCountedForWhomTheyWaitFor) {
  const auto it =
      report({made({slow("n07", 10, 20), slow("n02", 12, 20)}, model::Subsystem::kNetwork),
              made({slow("n07", 50, 55)}, model::Subsystem::kNetwork),
              made({slow("n07", 60, 61)}, model::Subsystem::kCpu),
              made({slow("n01", 30, 50)}, model::Subsystem::kCpu)});
  EXPECT_EQ(it.incidents, 4u);
  ASSERT_THAT(it.costly, SizeIs(3));
  EXPECT_EQ(it.costly[0].who, "n07");
  EXPECT_EQ(it.costly[0].subsystem, "network");
  EXPECT_EQ(it.costly[0].incidents, 2u);
  EXPECT_EQ(it.costly[0].slow_ns, 15 * kMinute);
  EXPECT_EQ(it.costly[0].hosts_ns, 23 * kMinute);
  EXPECT_EQ(it.costly[0].last_onset_ns, kBegin + 50 * kMinute);
  EXPECT_EQ(it.costly[1].who, "n01");
  EXPECT_EQ(it.costly[2].hosts_ns, kMinute);
  EXPECT_EQ(it.hosts_ns, 44 * kMinute);
}

TEST(FleetReport, OnlyWhatLiesWithinTheStretchCounts) {
  auto open = made({slow("n03", 90, 91), slow("n04", 91, 93)}, model::Subsystem::kCpu);
  open.is_open = true;
  open.hosts[1].calm_s = peers::kCalm_s;
  const auto it = report({made({slow("n01", -20, 5)}, model::Subsystem::kCpu),
                          made({slow("n02", -20, 0)}, model::Subsystem::kCpu),
                          made({slow("n02", 100, 110)}, model::Subsystem::kCpu), open});
  EXPECT_EQ(it.incidents, 2u);
  EXPECT_EQ(it.open, 1u);
  ASSERT_THAT(it.costly, SizeIs(2));
  // The one until the end, the other until it recovered.
  EXPECT_EQ(it.costly[0].who, "n03");
  EXPECT_EQ(it.costly[0].hosts_ns, 12 * kMinute);
  EXPECT_EQ(it.costly[1].hosts_ns, 5 * kMinute);
}

TEST(FleetReport, AnIncidentOfAllCostsTheTimeOfAll) {
  peers::Incident all;
  all.group = "role=train";
  all.group_size = 9;
  all.is_of_all = true;
  all.is_open = false;
  all.onset_ns = kBegin + 10 * kMinute;
  all.end_ns = kBegin + 12 * kMinute;
  auto pair = made({slow("b", 1, 2), slow("a", 1, 2)}, model::Subsystem::kCpu);
  for (auto& host : pair.hosts) host.part = peers::Part::kPair;
  const auto it = report({all, pair});
  ASSERT_THAT(it.costly, SizeIs(2));
  EXPECT_EQ(it.costly[0].who, "all of role=train");
  EXPECT_EQ(it.costly[0].hosts_ns, 18 * kMinute);
  EXPECT_EQ(it.costly[1].who, "a or b");
}

TEST(FleetReport, AHostThatWasSlowInSeveralJobsIsOneRow) {
  auto latest = made({slow("n07", 50, 60)}, model::Subsystem::kCpu);
  latest.group = "job=slurm/2";
  auto first = made({slow("n07", 10, 20)}, model::Subsystem::kCpu);
  first.group = "job=slurm/1";
  auto all = latest;
  all.is_of_all = true;
  all.onset_ns = kBegin;
  const auto it = report({latest, first, all});
  ASSERT_THAT(it.costly, SizeIs(2));
  EXPECT_EQ(it.costly[0].who, "all of Slurm job 2");
  EXPECT_EQ(it.costly[1].who, "n07");
  EXPECT_EQ(it.costly[1].incidents, 2u);
  EXPECT_EQ(it.costly[1].group, "job=slurm/2") << "of the latest";
}

TEST(FleetReport, IsReadFromAnAnalysersFile) {
  const base::TempDir folder;
  const auto file = folder.path() / "fleet.db";
  {
    auto ledger = Ledger::open(file);
    ASSERT_TRUE(ledger) << ledger.error().message();
    auto ended = made({slow("n01", 10, 20)}, model::Subsystem::kCpu);
    ended.is_open = true;
    for (const auto& one : {made({slow("n07", 30, 35)}, model::Subsystem::kNetwork), ended}) {
      ASSERT_TRUE(ledger->put_incident(one, peers::json_of({peers::Told::kOpened, one})));
    }
    ASSERT_TRUE(ledger->close_others("role=train", {}));
    auto broken = made({slow("n08", 40, 41)}, model::Subsystem::kCpu);
    ASSERT_TRUE(ledger->put_incident(broken, "{}"));
  }
  const auto it = read_fleet_report(file, kBegin, kBegin + 100 * kMinute);
  ASSERT_TRUE(it) << it.error().message();
  EXPECT_EQ(it->open, 0u);
  EXPECT_EQ(it->unreadable, 1u);
  ASSERT_THAT(it->costly, SizeIs(2));
  EXPECT_EQ(it->costly[0].who, "n01");
  EXPECT_EQ(it->costly[0].hosts_ns, 10 * kMinute);
  const auto text = to_text(*it);
  EXPECT_THAT(
      text,
      HasSubstr("2 incidents, 0 open\n1 more cannot be read\nHosts were slow for 15 min 0 s"));
  EXPECT_THAT(
      text,
      HasSubstr("n07   network            1     5 min 0 s     5 min 0 s  2023-11-14T22:43:20\n"));
  const auto json = nlohmann::json::parse(to_json(*it));
  EXPECT_EQ(json["costly"][1]["host"], "id of n07");
  EXPECT_EQ(json["host_seconds"], 900.0);
}

// As it was before the second version, and as a later one might be.
TEST(FleetReport, IsReadFromAnOlderFileAndNotFromANewerOne) {
  const base::TempDir folder;
  const auto file = folder.path() / "old.db";
  const auto opened = open_database(file, Access::kWrite);
  ASSERT_TRUE(opened);
  const auto& database = *opened;
  ASSERT_TRUE(database->run(migration(1, Dialect::kSqlite)));
  const auto incident = made({slow("n01", 10, 20)}, model::Subsystem::kCpu);
  ASSERT_TRUE(database->query(
      "INSERT INTO incidents VALUES ('i', 'role=train', 1, 'ended', $1, $2, 'n01', 'cpu', '', $3)",
      {incident.onset_ns, incident.end_ns, peers::json_of({peers::Told::kClosed, incident})}));
  const auto it = read_fleet_report(file, kBegin, kBegin + 100 * kMinute);
  ASSERT_TRUE(it) << it.error().message();
  ASSERT_THAT(it->costly, SizeIs(1));
  EXPECT_EQ(it->costly[0].who, "n01");
  ASSERT_TRUE(database->run("PRAGMA user_version = 99;"));
  const auto newer = read_fleet_report(file, kBegin, kBegin + 100 * kMinute);
  ASSERT_FALSE(newer);
  EXPECT_THAT(newer.error().message(), HasSubstr("use the Reveal that wrote it"));
}

TEST(FleetReport, OfAnotherFileIsRefused) {
  const base::TempDir folder;
  const auto none = read_fleet_report(folder.path() / "none.db", 0, 1);
  ASSERT_FALSE(none);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "none.db"));
  ASSERT_TRUE(open_database(folder.path() / "other.db", Access::kWrite));
  const auto other = read_fleet_report(folder.path() / "other.db", 0, 1);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, base::ErrorKind::kUsage);
  EXPECT_FALSE(read_fleet_report(folder.path() / "other.db", 1, 1));
}

}  // namespace
}  // namespace reveal::ledger
