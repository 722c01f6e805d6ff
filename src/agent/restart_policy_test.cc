#include "agent/restart_policy.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace reveal::agent {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(RestartPolicy, StartsAtOnceWhatHadRunForAWhile) {
  RestartPolicy policy;
  policy.started(0);
  policy.ended(100 * kSecond);
  EXPECT_TRUE(policy.is_due(100 * kSecond));
}

TEST(RestartPolicy, WaitsLongerAfterEachEarlyEndUpToAMinute) {
  RestartPolicy policy;
  std::int64_t now = 0;
  std::int64_t expected = RestartPolicy::kFirstWait_ns;
  for (int i = 0; i < 12; ++i) {
    policy.started(now);
    policy.ended(now);
    EXPECT_FALSE(policy.is_due(now + expected - 1)) << i;
    EXPECT_TRUE(policy.is_due(now + expected)) << i;
    now += expected;
    expected = std::min(2 * expected, RestartPolicy::kLongestWait_ns);
  }
  EXPECT_EQ(policy.ends(), 12U);
  policy.started(now);
  policy.ended(now + RestartPolicy::kSettled_ns);
  EXPECT_TRUE(policy.is_due(now + RestartPolicy::kSettled_ns)) << "it has settled: as the first";
}

}  // namespace
}  // namespace reveal::agent
