#include "ledger/known_incident.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "ledger/ledger.h"
#include "peers/json.h"

namespace reveal::ledger {
namespace {

TEST(KnownIncident, IsTheOneThatWasKept) {
  const base::TempDir folder;
  const std::string file = folder.path() / "fleet.db";
  peers::Incident kept;
  kept.id = "00000000000000ab";
  kept.group = "role=train";
  kept.onset_ns = 1000;
  kept.end_ns = 4000;
  kept.group_size = 9;
  peers::SlowHost host;
  host.id = "h";
  host.name = "n07";
  host.part = peers::Part::kCause;
  host.onset_ns = 1000;
  host.finding = "01B";
  kept.hosts.push_back(host);
  {
    auto ledger = Ledger::open(file);
    ASSERT_TRUE(ledger);
    ASSERT_EQ(ledger->put_incident(kept, peers::json_of({.incident = kept})).value(),
              Put::kWritten);
  }
  const auto database = open_database(file, Access::kRead);
  ASSERT_TRUE(database);
  const auto found = known_incident(**database, kept.id);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->id, kept.id);
  EXPECT_EQ(found->main_host()->finding, "01B");
  const auto other = known_incident(**database, "00000000000000ac");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, base::ErrorKind::kUsage);
}

TEST(KnownIncident, OfADatabaseOfOthersIsRefused) {
  const base::TempDir folder;
  const auto database = open_database(folder.path() / "other.db", Access::kWrite);
  ASSERT_TRUE(database);
  EXPECT_FALSE(known_incident(**database, "00000000000000ab"));
}

}  // namespace
}  // namespace reveal::ledger
