#include "ledger/past_incidents.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/testing/in_a_database.h"

namespace reveal::ledger {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class PastIncidents : public InADatabase {
 protected:
  void put(const std::string& id, const std::string& group, std::int64_t onset_ns, bool is_open,
           const std::string& host) {
    peers::Incident one;
    one.id = id;
    one.group = group;
    one.onset_ns = onset_ns;
    one.end_ns = onset_ns + 10;
    one.is_open = is_open;
    peers::SlowHost slow;
    slow.id = host;
    slow.onset_ns = onset_ns;
    one.hosts = {slow};
    const auto written = ledger->put_incident(one, id);
    ASSERT_TRUE(written) << written.error().message();
  }
  void SetUp() override {
    InADatabase::SetUp();
    if (!ledger) return;
    put("a", "g", 100, false, "h1");
    put("b", "g", 200, true, "h2");
    put("c", "g", 200, false, "h1");
    put("d", "other", 300, false, "h3");
  }
  // Returns the details, which are the ids.
  std::vector<std::string> ids(const IncidentChoice& choice) {
    auto database = open_database(where(), Access::kRead);
    EXPECT_TRUE(database) << database.error().message();
    const auto found = past_incidents(**database, choice);
    EXPECT_TRUE(found) << found.error().message();
    std::vector<std::string> out;
    for (const auto& one : *found) {
      out.push_back(one.detail);
      EXPECT_EQ(one.is_open, one.detail == "b");
    }
    return out;
  }
};

INSTANTIATE_TEST_SUITE_P(All, PastIncidents, testing::Values(Dialect::kSqlite, Dialect::kPostgres),
                         [](const auto& one) {
                           return one.param == Dialect::kSqlite ? "Sqlite" : "Postgres";
                         });

TEST_P(PastIncidents, AreChosenAsOneAsks) {
  EXPECT_THAT(ids({}), ElementsAre("d", "c", "b", "a"));
  EXPECT_THAT(ids({.limit = 2}), ElementsAre("d", "c"));
  EXPECT_THAT(ids({.open = true}), ElementsAre("b"));
  EXPECT_THAT(ids({.open = false}), ElementsAre("d", "c", "a"));
  EXPECT_THAT(ids({.id = "c"}), ElementsAre("c"));
  EXPECT_THAT(ids({.group = "g", .host = "h1"}), ElementsAre("c", "a"));
  EXPECT_THAT(ids({.group = "g' OR 1=1 --"}), IsEmpty());
  EXPECT_THAT(ids({.since_ns = 211}), ElementsAre("d", "b"));
  EXPECT_THAT(ids({.before = {{200, "c"}}}), ElementsAre("b", "a"));
  EXPECT_THAT(ids({.open = false, .group = "g", .since_ns = 50, .before = {{200, "c"}}}),
              ElementsAre("a"));
}

}  // namespace
}  // namespace reveal::ledger
