#include "agent/restart_policy.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reveal::agent {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;

TEST(RestartPolicy, StartsAtOnceWhatHadRunForAWhile) {
  for (const auto how : {Ending::kByItself, Ending::kFromOutside}) {
    RestartPolicy policy;
    policy.started(0);
    policy.ended(100 * kSecond, how);
    EXPECT_TRUE(policy.is_due(100 * kSecond));
    EXPECT_EQ(policy.early_ends(), 0U);
  }
}

TEST(RestartPolicy, WaitsLongerAfterEachEndOfItsOwnUpToAMinute) {
  RestartPolicy policy;
  std::int64_t now = 0;
  std::int64_t expected = RestartPolicy::kFirstWait_ns;
  for (int i = 0; i < 12; ++i) {
    policy.started(now);
    policy.ended(now, Ending::kByItself);
    EXPECT_FALSE(policy.is_due(now + expected - 1)) << i;
    EXPECT_TRUE(policy.is_due(now + expected)) << i;
    EXPECT_EQ(policy.wait_ns(), expected);
    EXPECT_EQ(policy.due_ns(), now + expected);
    now += expected;
    expected = std::min(2 * expected, RestartPolicy::kLongestWait_ns);
  }
  EXPECT_EQ(policy.early_ends(), 12U);
  policy.started(now);
  policy.ended(now + RestartPolicy::kSettled_ns, Ending::kByItself);
  EXPECT_TRUE(policy.is_due(now + RestartPolicy::kSettled_ns)) << "it has settled: as the first";
  EXPECT_EQ(policy.early_ends(), 0U);
}

// What the agent promises of kills at 1/s for ten minutes.
TEST(RestartPolicy, WhatIsKilledEachSecondIsBackWithinSecondsTenMinutesLong) {
  RestartPolicy policy;
  std::int64_t now = 0;
  int starts = 0;
  for (; now < 10 * kMinute; ++starts) {
    policy.started(now);
    now += kSecond;
    policy.ended(now, Ending::kFromOutside);
    EXPECT_LE(policy.wait_ns(), kSecond);
    EXPECT_GT(policy.wait_ns(), 0);
    now = policy.due_ns();
  }
  EXPECT_GE(starts, 300);
}

// As one that the kernel kills each time, because there is not enough memory for it.
TEST(RestartPolicy, WhatIsKilledForLongIsTriedOnceAMinute) {
  RestartPolicy policy;
  std::int64_t now = 0;
  while (now < 2 * RestartPolicy::kPatience_ns) {
    policy.started(now);
    policy.ended(now + kSecond, Ending::kFromOutside);
    now = policy.due_ns();
  }
  EXPECT_EQ(policy.wait_ns(), RestartPolicy::kLongestWait_ns);
}

TEST(RestartPolicy, AKillAfterFailuresIsWaitedForBriefly) {
  RestartPolicy policy;
  for (int i = 0; i < 6; ++i) {
    policy.started(0);
    policy.ended(0, Ending::kByItself);
  }
  EXPECT_EQ(policy.wait_ns(), 16 * kSecond);
  policy.started(0);
  policy.ended(0, Ending::kFromOutside);
  EXPECT_EQ(policy.wait_ns(), RestartPolicy::kLongestWaitIfKilled_ns);
}

// As one that could not start while the disk was full, and is killed by hand later.
TEST(RestartPolicy, PatienceWithKillsBeginsWithTheFirstKill) {
  RestartPolicy policy;
  std::int64_t now = 0;
  while (now < 2 * RestartPolicy::kPatience_ns) {
    policy.started(now);
    policy.ended(now, Ending::kByItself);
    now = policy.due_ns();
  }
  EXPECT_EQ(policy.wait_ns(), RestartPolicy::kLongestWait_ns);
  const auto first_kill = now;
  while (now < first_kill + RestartPolicy::kPatience_ns) {
    policy.started(now);
    policy.ended(now, Ending::kFromOutside);
    EXPECT_EQ(policy.wait_ns(), RestartPolicy::kLongestWaitIfKilled_ns);
    now = policy.due_ns();
  }
  policy.started(now);
  policy.ended(now, Ending::kFromOutside);
  EXPECT_GT(policy.wait_ns(), RestartPolicy::kLongestWaitIfKilled_ns) << "that goes on for long";
  now = policy.due_ns();
  policy.started(now);
  policy.ended(now + RestartPolicy::kSettled_ns, Ending::kFromOutside);
  policy.started(now + RestartPolicy::kSettled_ns);
  for (int i = 0; i < 3; ++i) policy.ended(now + RestartPolicy::kSettled_ns, Ending::kFromOutside);
  EXPECT_EQ(policy.wait_ns(), RestartPolicy::kLongestWaitIfKilled_ns) << "it has settled";
}

// Returns the wait status of a process that ends by that signal, or with a status.
int status_of(int signal, int status) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (signal == 0) std::_Exit(status);
    (void)std::signal(signal, SIG_DFL);
    ::raise(signal);
    std::_Exit(99);
  }
  int out = -1;
  EXPECT_EQ(::waitpid(child, &out, 0), child);
  return out;
}

TEST(RestartPolicy, TellsKillsFromFailures) {
  EXPECT_EQ(ending_of(status_of(SIGKILL, 0)), Ending::kFromOutside);
  EXPECT_EQ(ending_of(status_of(SIGTERM, 0)), Ending::kFromOutside);
  EXPECT_EQ(ending_of(status_of(0, 0)), Ending::kFromOutside) << "as a part that SIGTERM ends";
  EXPECT_EQ(ending_of(status_of(0, 1)), Ending::kByItself);
  EXPECT_EQ(ending_of(status_of(0, 127)), Ending::kByItself);
  EXPECT_EQ(ending_of(status_of(SIGABRT, 0)), Ending::kByItself);
}

}  // namespace
}  // namespace reveal::agent
