// Leases with a real broker, which is killed and suspended.
#include "bus/nats_lease_bucket.h"

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/streams.h"
#include "bus/testing/nats_server.h"

namespace reveal::bus {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{60'000};

bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(20));
  }
  return true;
}

class Bucket : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(make_streams(server.options(), 1, 1)); }

  NatsServer server;
  NatsLeaseBucket one{server.options(), 1};
  NatsLeaseBucket other{server.options(), 1};
};

TEST_F(Bucket, OneOfTwoGetsIt) {
  const auto none = one.look("a");
  ASSERT_TRUE(none) << none.error().message();
  EXPECT_FALSE(*none);
  const auto first = one.write("a", "one", 0);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_FALSE(other.write("a", "other", 0));
  const auto seen = other.look("a");
  ASSERT_TRUE(seen);
  ASSERT_TRUE(*seen);
  EXPECT_EQ((*seen)->value, "one");
  EXPECT_EQ((*seen)->revision, *first);
  const auto second = other.write("a", "other", *first);
  ASSERT_TRUE(second);
  EXPECT_GT(*second, *first);
  EXPECT_FALSE(one.write("a", "one", *first));
  // Another key has revisions of the same row.
  const auto another = one.write("b", "one", 0);
  ASSERT_TRUE(another);
  EXPECT_GT(*another, *second);
}

TEST_F(Bucket, AnEntryThatIsNotWrittenGoesAwayAndItsRevisionsDoNotComeAgain) {
  const auto first = one.write("a", "one", 0);
  ASSERT_TRUE(first);
  ASSERT_TRUE(eventually([&] {
    const auto seen = other.look("a");
    return seen && !*seen;
  }));
  // All of the bucket is gone; the broker dies, and forgets nothing of where it was.
  server.kill();
  server.start();
  base::Result<std::uint64_t> second = base::fail(base::ErrorKind::kIo, "not tried");
  ASSERT_TRUE(eventually([&] {
    second = other.write("a", "other", 0);
    return second.has_value();
  }));
  EXPECT_GT(*second, *first);
}

TEST_F(Bucket, OutlivesABrokerThatIsKilledAndIsNotMadeTwice) {
  const auto made = one.made_ns();
  ASSERT_TRUE(made);
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  EXPECT_NEAR(static_cast<double>(*made), static_cast<double>(now), 60e9);
  ASSERT_TRUE(one.write("a", "one", 0));
  server.kill();
  EXPECT_FALSE(one.look("a"));
  server.start();
  ASSERT_TRUE(eventually([&] { return one.look("a").has_value(); }));
  ASSERT_TRUE(make_streams(server.options(), 1, 1));
  EXPECT_EQ(*one.made_ns(), *made);
}

TEST_F(Bucket, ABrokerThatDoesNotAnswerIsWaitedForForASecond) {
  ASSERT_TRUE(one.look("a"));
  server.suspend();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(one.look("a"));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(900));
  server.resume();
  EXPECT_TRUE(eventually([&] { return one.look("a").has_value(); }));
}

TEST(NoBucket, IsAFailureThatSaysSo) {
  const NatsServer server;
  NatsLeaseBucket bucket(server.options(), 1);
  const auto seen = bucket.look("a");
  ASSERT_FALSE(seen);
  EXPECT_THAT(seen.error().message(), testing::HasSubstr("RV_LEASE_e1"));
}

}  // namespace
}  // namespace reveal::bus
