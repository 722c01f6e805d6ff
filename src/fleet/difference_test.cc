#include "fleet/difference.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fleet/testing/made_host.h"

namespace reveal::fleet {
namespace {

using model::Kind;
using model::Subsystem;

// Hosts by number: what a host's level is in a second.
using Levels = std::function<double(std::size_t host, std::size_t second)>;

class Made {
 public:
  Made(std::size_t hosts, std::size_t seconds, const Levels& level) : grid_(made_grid(seconds)) {
    quantity_.metric = quantity_.label = "load";
    quantity_.unit = "things";
    quantity_.subsystem = Subsystem::kCpu;
    levels_.assign(hosts, std::vector<float>(seconds));
    for (std::size_t h = 0; h < hosts; ++h) {
      for (std::size_t s = 0; s < seconds; ++s) levels_[h][s] = static_cast<float>(level(h, s));
    }
  }
  Made& of(Kind kind, const std::string& unit = "things") {
    quantity_.kind = kind;
    quantity_.unit = unit;
    return *this;
  }
  Made& in(Subsystem subsystem) {
    quantity_.subsystem = subsystem;
    return *this;
  }
  Made& with_memory(double bytes) {
    around_.memory_bytes = bytes;
    return *this;
  }
  Made& read_every(double seconds) {
    compared_.buckets_a_reading = seconds;
    return *this;
  }
  std::vector<Difference> differences() {
    compared_.quantity = quantity_;
    compared_.levels.assign(levels_.begin(), levels_.end());
    return judge(compared_, grid_, around_).differences;
  }
  std::int64_t at(std::size_t second) const { return grid_.at(second); }

 private:
  Grid grid_;
  Quantity quantity_;
  Surroundings around_;
  ComparedQuantity compared_;
  std::vector<std::vector<float>> levels_;
};

// One of `hosts` is at 20, the others at 10, all with a deviation of 0.2 and what the job does.
double shifted(std::size_t host, std::size_t second, std::size_t outlier, std::size_t since,
               base::Rng& rng) {
  const double job = 5 * std::sin(static_cast<double>(second) / 7);
  const double shift = host == outlier && second >= since ? 10 : 0;
  return 10 + job + shift + 0.2 * normal(rng);
}

TEST(Judge, NamesTheHostThatLiesElsewhereAllTheTime) {
  base::Rng rng(1);
  Made made(5, 120, [&](auto h, auto s) { return shifted(h, s, 3, 0, rng); });
  const auto found = made.differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].host, 3u);
  EXPECT_NEAR(found[0].observed - found[0].peers, 10, 0.3);
  EXPECT_EQ(found[0].peer_count, 4u);
  EXPECT_DOUBLE_EQ(found[0].share, 1);
  EXPECT_TRUE(found[0].from_begin && found[0].to_end && found[0].lasting);
  EXPECT_EQ(found[0].since_ns, made.at(0));
  EXPECT_EQ(found[0].until_ns, made.at(120));
}

TEST(Judge, SaysSinceWhen) {
  base::Rng rng(2);
  Made made(5, 120, [&](auto h, auto s) { return shifted(h, s, 0, 73, rng); });
  const auto found = made.differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].host, 0u);
  EXPECT_FALSE(found[0].from_begin);
  EXPECT_TRUE(found[0].to_end && found[0].lasting);
  EXPECT_EQ(found[0].since_ns, made.at(73));
}

TEST(Judge, SaysUntilWhen) {
  base::Rng rng(3);
  Made made(9, 120, [&](auto h, auto s) {
    return 10 + 0.2 * normal(rng) - (h == 4 && 30 <= s && s < 42 ? 8 : 0);
  });
  const auto found = made.differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].host, 4u);
  EXPECT_FALSE(found[0].lasting);
  EXPECT_EQ(found[0].since_ns, made.at(30));
  EXPECT_EQ(found[0].until_ns, made.at(42));
  EXPECT_NEAR(found[0].observed, 2, 0.5);
}

TEST(Judge, ASecondOutlierHostHidesNobodyAmongNine) {
  base::Rng rng(4);
  Made made(9, 120,
            [&](auto h, auto) { return 10 + (h == 2 || h == 7 ? 20 : 0) + 0.2 * normal(rng); });
  const auto found = made.differences();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].host, 2u);
  EXPECT_EQ(found[1].host, 7u);
}

TEST(Judge, OfTwoHostsTheHigherIsTold) {
  base::Rng rng(5);
  Made made(2, 120, [&](auto h, auto) { return (h == 0 ? 10 : 40) + 0.2 * normal(rng); });
  const auto found = made.differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].host, 1u);
  EXPECT_EQ(found[0].peer_count, 1u);
}

TEST(Judge, WhatNeverMovesAndIsTheSameEverywhereIsSeen) {
  Made made(3, 60, [](auto, auto) { return 4.0; });
  EXPECT_TRUE(made.differences().empty());
}

TEST(Judge, ATinyDifferenceOfConstantsIsNone) {
  Made small(9, 60, [](auto h, auto) { return h == 1 ? 1000.5 : 1000.0; });
  EXPECT_TRUE(small.differences().empty());
  Made large(9, 60, [](auto h, auto) { return h == 1 ? 1200.0 : 1000.0; });
  EXPECT_EQ(large.differences().size(), 1u);
}

TEST(Judge, MemoryCountsByTheHundredthOfWhatIsInstalled) {
  constexpr double kGiB = 1073741824;
  const auto made = [](double unused) {
    return Made(3, 60, [=](auto h, auto) { return h == 1 ? unused : 0.0; })
        .of(Kind::kGauge, "bytes")
        .in(Subsystem::kMemory)
        .with_memory(4 * kGiB)
        .differences()
        .size();
  };
  EXPECT_EQ(made(0.03 * kGiB), 0u);
  EXPECT_EQ(made(0.05 * kGiB), 1u);
}

TEST(Judge, RareEventsAreCountedOverTheWholeTime) {
  Made made(4, 120, [](auto h, auto s) { return h == 2 && s % 20 == 7 ? 1.0 : 0.0; });
  const auto found = made.of(Kind::kEvent, "errors/s").differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].host, 2u);
  EXPECT_TRUE(found[0].is_total);
  EXPECT_DOUBLE_EQ(found[0].observed, 6);
  EXPECT_DOUBLE_EQ(found[0].peers, 0);
  EXPECT_EQ(found[0].since_ns, made.at(7));
  EXPECT_EQ(found[0].until_ns, made.at(108));
  EXPECT_TRUE(found[0].lasting);

  Made few(4, 120, [](auto h, auto s) { return h == 2 && s % 40 == 7 ? 1.0 : 0.0; });
  EXPECT_TRUE(few.of(Kind::kEvent, "errors/s").differences().empty());
}

TEST(Judge, ASingleReadingOfASlowSourceIsNoStretch) {
  const Levels one_reading = [](auto h, auto s) { return h == 1 && 40 <= s && s < 50 ? 9.0 : 0.0; };
  EXPECT_EQ(Made(5, 120, one_reading).differences().size(), 1u);
  EXPECT_TRUE(Made(5, 120, one_reading).read_every(10).differences().empty());
}

TEST(Judge, AHostThatEndsEarlyIsJudgedByWhatItHas) {
  base::Rng rng(6);
  Made made(5, 120, [&](auto h, auto s) {
    return h == 2 && s >= 40 ? std::nan("") : shifted(h, s, 2, 0, rng);
  });
  const auto found = made.differences();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].host, 2u);
  EXPECT_DOUBLE_EQ(found[0].share, 1);
  EXPECT_EQ(found[0].until_ns, made.at(40));
}

TEST(Judge, MissingSecondsAndHostsAreNoDifference) {
  base::Rng rng(7);
  Made made(5, 120, [&](auto h, auto s) {
    const bool missing = h == 4 || (h == 1 && s % 5 == 0) || (50 <= s && s < 60);
    return missing ? std::nan("") : 10 + 0.2 * normal(rng);
  });
  EXPECT_TRUE(made.differences().empty());
}

TEST(Judge, NothingIsToldWhereTooFewArePresent) {
  Made made(3, 60, [](auto h, auto) { return h == 0 ? std::nan("") : h == 1 ? 1.0 : 99.0; });
  EXPECT_TRUE(made.differences().empty());
}

// What alike hosts do: levels that differ from host to host by `between`, that move together with
// the job, and each by itself, slowly and fast.
class AlikeHosts {
 public:
  AlikeHosts(std::size_t hosts, double between, std::uint64_t seed) : rng_(seed), drift_(hosts, 0) {
    for (std::size_t h = 0; h < hosts; ++h) own_.push_back(std::exp(between * normal(rng_)));
  }
  double level(std::size_t host, std::size_t second) {
    const double job = 100 + 50 * std::sin(static_cast<double>(second) / 9);
    drift_[host] = 0.95 * drift_[host] + 0.03 * normal(rng_);
    return job * own_[host] * std::exp(drift_[host] + 0.1 * normal(rng_));
  }

 private:
  base::Rng rng_;
  std::vector<double> own_;
  std::vector<double> drift_;
};

// Returns how many of 300 quantities of alike hosts have a difference.
int false_differences(std::size_t hosts, double between, Kind kind) {
  int out = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    AlikeHosts alike(hosts, between, seed * 1000 + hosts);
    std::vector<std::vector<double>> levels(hosts);
    for (std::size_t h = 0; h < hosts; ++h) {
      for (std::size_t s = 0; s < 120; ++s) levels[h].push_back(alike.level(h, s));
    }
    Made made(hosts, 120, [&](auto h, auto s) { return levels[h][s]; });
    if (!made.of(kind).differences().empty()) ++out;
  }
  return out;
}

TEST(Judge, AlikeHostsHaveNextToNoDifferences) {
  for (const std::size_t hosts : {2U, 3U, 4U, 6U, 9U}) {
    EXPECT_LE(false_differences(hosts, 0.03, Kind::kCounter), 1) << hosts;
    EXPECT_LE(false_differences(hosts, 0.03, Kind::kGauge), 1) << hosts;
  }
}

// If hosts differ by a fifth as a matter of course, three of them cannot know, and nine do.
TEST(Judge, HostsThatDifferByAFifthHaveFewDifferences) {
  for (const std::size_t hosts : {3U, 4U, 6U, 9U}) {
    EXPECT_LE(false_differences(hosts, 0.2, Kind::kCounter), 6) << hosts;
  }
}

}  // namespace
}  // namespace reveal::fleet
