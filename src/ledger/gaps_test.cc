// Stretches of time that hosts told late, in a database. ledger_test.cc says in which.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger.h"
#include "ledger/testing/in_a_database.h"
#include "wire/testing/made_messages.h"

namespace reveal::ledger {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

peers::LateSecond second_of(const std::string& host, std::int64_t begin_ns) {
  peers::LateSecond out{
      .host = host, .head = {}, .message = host + std::to_string(begin_ns), .stored_ns = 0};
  out.head.head.time_ns = begin_ns;
  return out;
}

TEST_P(InADatabase, LateSecondsOfAGroupAreReadInTheirOrderAndInParts) {
  const auto facts = wire::example_facts();
  for (const std::string host : {"a", "b", "c"}) {
    ASSERT_TRUE(ledger->put_facts(host, "main", host == "c" ? "role=other" : "role=train", facts));
  }
  std::vector<peers::LateSecond> seconds;
  for (const std::int64_t begin_ns : {3000, 2000, 1000}) {
    for (const std::string host : {"b", "c", "a"}) {
      seconds.push_back(second_of(host, begin_ns));
    }
  }
  ASSERT_TRUE(ledger->put_late_seconds(seconds));
  std::vector<std::string> messages;
  KeptSecond last{.host = "", .begin_ns = 1000, .message = {}};
  for (std::size_t part = 0; part < 3; ++part) {
    const auto kept = ledger->late_seconds("role=train", last, 3001, 2);
    ASSERT_TRUE(kept) << kept.error().message();
    ASSERT_EQ(kept->size(), 2u);
    for (const auto& one : *kept) messages.push_back(one.message);
    last = kept->back();
  }
  EXPECT_THAT(messages, ElementsAre("a1000", "b1000", "a2000", "b2000", "a3000", "b3000"));
  EXPECT_THAT(*ledger->late_seconds("role=train", last, 3001, 2), IsEmpty());
  EXPECT_EQ(ledger->late_seconds("role=train", {"", 2000, {}}, 3000, 99)->size(), 2u);
}

TEST_P(InADatabase, AGapIsKnownByTheMessagesThatWereThere) {
  const Gap gap{.group = "role=train",
                .begin_ns = 100,
                .end_ns = 200,
                .stored_ns = 500,
                .hosts = 9,
                .judged_seconds = 95,
                .incidents = 1};
  EXPECT_FALSE(*ledger->has_gap(gap));
  ASSERT_TRUE(ledger->put_gap(gap));
  EXPECT_TRUE(*ledger->has_gap(gap));
  const auto knows = [&](std::int64_t begin_ns, std::int64_t end_ns, std::int64_t stored_ns) {
    auto other = gap;
    other.begin_ns = begin_ns;
    other.end_ns = end_ns;
    other.stored_ns = stored_ns;
    return *ledger->has_gap(other);
  };
  EXPECT_TRUE(knows(120, 180, 400));
  EXPECT_FALSE(knows(99, 200, 500));
  EXPECT_FALSE(knows(100, 201, 500));
  EXPECT_FALSE(knows(100, 200, 501)) << "more was told since";
  auto older = gap;
  older.stored_ns = 400;
  older.incidents = 0;
  ASSERT_TRUE(ledger->put_gap(older));
  EXPECT_THAT(rows("SELECT stored_ns, hosts, judged_seconds, incidents FROM gaps"),
              ElementsAre(ElementsAre("500", "9", "95", "1")));
  ASSERT_TRUE(ledger->claim("role=train", "another", {5, 10}, 1));
  older.stored_ns = 600;
  ASSERT_TRUE(ledger->put_gap(older, {5, 9}));
  EXPECT_THAT(rows("SELECT stored_ns FROM gaps"), ElementsAre(ElementsAre("500")));
  EXPECT_FALSE(*ledger->forget(0, 200));
  EXPECT_TRUE(*ledger->has_gap(gap));
  EXPECT_FALSE(*ledger->forget(0, 201));
  EXPECT_FALSE(*ledger->has_gap(gap));
}

}  // namespace
}  // namespace reveal::ledger
