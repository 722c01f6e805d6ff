#include "model/fact_table.h"

#include <gmock/gmock.h>

namespace reveal::model {
namespace {

constexpr auto kFact = Note::Kind::kFact;

TEST(FactTable, AFactIsNewOnceUntilItChangesOrEnds) {
  FactTable facts;
  EXPECT_TRUE(facts.apply({kFact, "net", "mtu of eth0", "1500"}));
  EXPECT_FALSE(facts.apply({kFact, "net", "mtu of eth0", "1500"}));
  EXPECT_TRUE(facts.apply({kFact, "other", "mtu of eth0", "1500"}));
  EXPECT_TRUE(facts.apply({kFact, "net", "mtu of eth0", "9000"}));
  EXPECT_THAT(facts.notes(), ::testing::ElementsAre(Note{kFact, "net", "mtu of eth0", "9000"},
                                                    Note{kFact, "other", "mtu of eth0", "1500"}));
  EXPECT_TRUE(facts.apply({kFact, "net", "mtu of eth0", ""}));
  EXPECT_FALSE(facts.apply({kFact, "net", "mtu of eth0", ""}));
  EXPECT_EQ(facts.notes().size(), 1u);
  EXPECT_TRUE(facts.apply({kFact, "net", "mtu of eth0", "9000"}));
}

TEST(FactTable, EventsAreAlwaysNewAndNeverHold) {
  FactTable facts;
  const Note event{Note::Kind::kEvent, "kmsg", "xid", "79"};
  EXPECT_TRUE(facts.apply(event));
  EXPECT_TRUE(facts.apply(event));
  EXPECT_TRUE(facts.notes().empty());
}

}  // namespace
}  // namespace reveal::model
