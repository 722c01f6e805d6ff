#include "publish/owed_seconds.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/rng.h"
#include "base/temp_dir.h"

namespace reveal::publish {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_ns = 1'700'000'000 * kSecond_ns;

Seconds seconds(std::int64_t from, std::int64_t to) {
  return {kBegin_ns + from * kSecond_ns, kBegin_ns + to * kSecond_ns};
}
Seconds second(std::int64_t number) {
  return seconds(number, number + 1);
}

class Owed : public testing::Test {
 protected:
  void pass(std::int64_t from, std::int64_t to) {
    for (auto s = from; s < to; ++s) owed.pass(second(s));
  }
  // Returns the newest part that is owed, with no bound.
  std::optional<Seconds> newest() { return owed.newest(seconds(0, 1'000'000).end_ns, kBegin_ns); }
  OwedSeconds reopened() {
    owed.save();
    return OwedSeconds(file);
  }

  base::TempDir dir;
  std::filesystem::path file = dir.path() / "owed";
  OwedSeconds owed{file};
};

TEST_F(Owed, WhatPassedUntilItIsSettled) {
  EXPECT_FALSE(newest());
  pass(0, 10);
  EXPECT_EQ(newest(), seconds(0, 10));
  for (std::int64_t s = 0; s < 10; ++s) {
    if (s != 4) owed.settle(second(s));
  }
  EXPECT_EQ(newest(), second(4));
  EXPECT_TRUE(owed.owes(second(4)));
  EXPECT_FALSE(owed.owes(second(5)));
  EXPECT_FALSE(owed.owes(second(3)));
  EXPECT_TRUE(owed.owes(seconds(0, 5)));
  EXPECT_FALSE(owed.owes(seconds(0, 4)));
  EXPECT_FALSE(owed.owes(seconds(5, 10)));
  EXPECT_EQ(owed.total_ns(), kSecond_ns);
  owed.settle(second(4));
  EXPECT_FALSE(newest());
}

TEST_F(Owed, WhatNobodySawPassIsOwed) {
  pass(0, 2);
  pass(7, 8);
  EXPECT_EQ(newest(), seconds(0, 8));
}

TEST_F(Owed, NothingOfBeforeTheFirstSecondEver) {
  pass(5, 6);
  EXPECT_EQ(newest(), second(5));
}

TEST_F(Owed, NewestIsBoundedAndEndsInTime) {
  pass(0, 100);
  owed.settle(seconds(40, 60));
  const auto until = [](std::int64_t s) { return seconds(0, s).end_ns; };
  EXPECT_EQ(owed.newest(until(90), 20 * kSecond_ns), seconds(70, 90));
  EXPECT_EQ(owed.newest(until(70), 60 * kSecond_ns), seconds(10, 70)) << "across what is settled";
  EXPECT_EQ(owed.newest(until(62), 10 * kSecond_ns), seconds(60, 62))
      << "nothing before it is owed";
  EXPECT_EQ(owed.newest(until(50), 10 * kSecond_ns), seconds(30, 40));
  EXPECT_FALSE(owed.newest(until(0), 10 * kSecond_ns));
}

TEST_F(Owed, ARestartForgetsNothing) {
  pass(0, 10);
  owed.settle(seconds(0, 9));
  auto next = reopened();
  next.pass(second(30));
  EXPECT_EQ(next.newest(seconds(0, 40).end_ns, kBegin_ns), seconds(9, 31));
  next.settle(seconds(9, 31));
  EXPECT_EQ(next.total_ns(), 0);
}

TEST_F(Owed, AFileOfSomebodyElseIsTroubleAndNoDebt) {
  ASSERT_TRUE(base::write_new_file(file, "nobody\n"));
  OwedSeconds other(file);
  EXPECT_THAT(other.take_trouble(), HasSubstr("is not what the agent wrote"));
  EXPECT_EQ(other.take_trouble(), "");
  other.pass(second(3));
  EXPECT_EQ(other.total_ns(), kSecond_ns);
}

TEST_F(Owed, AClockThatIsSetBackOwesWhatPasses) {
  pass(100, 110);
  owed.settle(seconds(100, 110));
  pass(50, 52);
  EXPECT_EQ(newest(), seconds(50, 52));
  pass(60, 61);
  EXPECT_EQ(newest(), seconds(50, 61));
}

TEST_F(Owed, NothingIsOlderThanADay) {
  pass(0, 10);
  owed.pass(second(86'400 + 5));
  EXPECT_EQ(newest(), seconds(6, 86'406));
  owed.pass(second(1'000'000));
  EXPECT_EQ(owed.total_ns(), OwedSeconds::kOldest_ns);
}

// Against a plain list of seconds.
TEST_F(Owed, ChanceSettlesAsAListDoes) {
  constexpr std::int64_t kSeconds = 200;
  base::Rng rng(7);
  for (int round = 0; round < 50; ++round) {
    OwedSeconds some(dir.path() / "none");
    std::vector<bool> list(kSeconds, true);
    for (std::int64_t s = 0; s < kSeconds; ++s) some.pass(second(s));
    for (int i = 0; i < 40; ++i) {
      const auto from = static_cast<std::int64_t>(rng.below(kSeconds));
      const auto to =
          std::min<std::int64_t>(kSeconds, from + 1 + static_cast<std::int64_t>(rng.below(9)));
      some.settle(seconds(from, to));
      for (auto s = from; s < to; ++s) list[static_cast<std::size_t>(s)] = false;
    }
    for (std::int64_t s = 0; s < kSeconds; ++s) {
      ASSERT_EQ(some.owes(second(s)), list[static_cast<std::size_t>(s)]) << s;
    }
    ASSERT_EQ(some.total_ns(), std::ranges::count(list, true) * kSecond_ns);
  }
}

// A broker that takes every other second.
TEST_F(Owed, TooManySpansAreJoinedAndNoneIsLost) {
  for (std::int64_t s = 0; s < 4000; ++s) {
    owed.pass(second(s));
    if (s % 2 == 1) owed.settle(second(s));
  }
  for (std::int64_t s = 0; s < 4000; s += 2) ASSERT_TRUE(owed.owes(second(s))) << s;
  owed.save();
  EXPECT_LT(std::filesystem::file_size(file), 50 * (OwedSeconds::kMaxSpans + 2));
  EXPECT_EQ(reopened().total_ns(), owed.total_ns());
}

}  // namespace
}  // namespace reveal::publish
