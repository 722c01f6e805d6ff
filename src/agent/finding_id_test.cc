#include "agent/finding_id.h"

#include <set>

#include <gtest/gtest.h>

namespace reveal::agent {
namespace {

// The ULID specification's own example of a time: 1469918176385 ms is 01ARYZ6S41.
TEST(FindingId, BeginsWithTheTime) {
  EXPECT_EQ(new_finding_id(1'469'918'176'385'000'000).substr(0, 10), "01ARYZ6S41");
}

TEST(FindingId, SaysWhenItBegan) {
  EXPECT_EQ(begin_of("01ARYZ6S410000000000000000"), 1'469'918'176'385'000'000);
  EXPECT_EQ(begin_of(std::string(26, '0')), 0);
  EXPECT_GT(begin_of(std::string(26, 'Z')), 9'000'000'000'000'000'000) << "as late as there is";
}

TEST(FindingId, IsUniqueAndInTheOrderOfTime) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(new_finding_id(1'700'000'000'000'000'000));
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_LT(*ids.rbegin(), new_finding_id(1'700'000'000'001'000'000));
}

TEST(FindingId, IsNothingThatLeadsElsewhere) {
  EXPECT_TRUE(is_finding_id(new_finding_id(1'700'000'000'000'000'000)));
  EXPECT_FALSE(is_finding_id("../../../../etc/passwd0000"));
  EXPECT_FALSE(is_finding_id(""));
  EXPECT_FALSE(is_finding_id("01ARYZ6S41"));
  EXPECT_FALSE(is_finding_id("01aryz6s410000000000000000"));
}

}  // namespace
}  // namespace reveal::agent
