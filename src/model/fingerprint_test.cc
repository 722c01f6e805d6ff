#include "model/fingerprint.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::model {
namespace {

constexpr std::int64_t kTick_ns = 100'000'000;

// A run whose every value follows from its seed.
class MadeRun {
 public:
  explicit MadeRun(std::uint64_t seed, std::int64_t begin_ns = 0) : rng_(seed), wall_ns_(begin_ns) {
    frame_.resize(3);
  }

  const Frame& tick() {
    frame_.wall_ns = wall_ns_ += kTick_ns;
    for (std::size_t i = 0; i < 3; ++i) frame_.set_u64(ChannelId(i), rng_.next());
    return frame_;
  }

 private:
  base::Rng rng_;
  std::int64_t wall_ns_;
  Frame frame_;
};

// The frames of a run from one tick to before another.
Fingerprint of(std::uint64_t seed, int from, int to) {
  MadeRun run(seed);
  Fingerprint out;
  for (int tick = 0; tick < to; ++tick) {
    const auto& frame = run.tick();
    if (tick >= from) out.add(frame);
  }
  return out;
}

TEST(Fingerprint, TheSameRunIsWhollyInItself) {
  EXPECT_EQ(of(1, 0, 600).share_in(of(1, 0, 600)), 1.0);
  EXPECT_EQ(of(1, 0, 50'000).share_in(of(1, 0, 50'000)), 1.0);
}

TEST(Fingerprint, AnotherRunAtTheSameTimesIsNot) {
  EXPECT_EQ(of(1, 0, 600).share_in(of(2, 0, 600)), 0.0);
  EXPECT_EQ(of(1, 0, 50'000).share_in(of(2, 0, 50'000)), 0.0);
}

TEST(Fingerprint, APartIsInTheWholeAndTheWholePartlyInIt) {
  EXPECT_EQ(of(1, 100, 400).share_in(of(1, 0, 1000)), 1.0);
  EXPECT_EQ(of(1, 0, 1000).share_in(of(1, 100, 400)), 0.3);
}

TEST(Fingerprint, OfLongRunsTheShareIsEstimated) {
  // Of 4096 sampled frames, a share of a half has a standard deviation of .008.
  EXPECT_NEAR(of(1, 0, 40'000).share_in(of(1, 20'000, 60'000)), 0.5, 0.04);
  EXPECT_EQ(of(1, 10'000, 30'000).share_in(of(1, 0, 60'000)), 1.0);
}

TEST(Fingerprint, AnEmptyRunSharesNothing) {
  EXPECT_EQ(Fingerprint().share_in(of(1, 0, 100)), 0.0);
  EXPECT_EQ(of(1, 0, 100).share_in(Fingerprint()), 0.0);
}

TEST(Fingerprint, WhatWasNotReadDoesNotCount) {
  Frame known;
  known.resize(2);
  known.set_u64(ChannelId(0), 7);
  known.set_u64(ChannelId(1), 8);
  known.validity[1] = Validity::kStale;
  Frame unknown = known;
  unknown.bits[1] = 0;
  unknown.validity[1] = Validity::kMissing;
  Fingerprint one;
  Fingerprint other;
  one.add(known);
  other.add(unknown);
  EXPECT_EQ(one.hashes(), other.hashes());
  unknown.set_u64(ChannelId(1), 8);  // now it was
  other.add(unknown);
  EXPECT_EQ(other.hashes().size(), 2U);
}

TEST(Fingerprint, HashesAreTheLowestAndMakeItAgain) {
  const auto run = of(1, 0, 10'000);
  const auto hashes = run.hashes();
  EXPECT_EQ(hashes.size(), Fingerprint::kMost);
  EXPECT_TRUE(std::ranges::is_sorted(hashes));
  Fingerprint again(hashes);
  EXPECT_EQ(again.hashes(), hashes);
  EXPECT_EQ(run.share_in(again), 1.0);
  again.add(MadeRun(2).tick());
  const auto then = again.hashes();
  EXPECT_EQ(then.size(), Fingerprint::kMost);
  EXPECT_TRUE(std::ranges::is_sorted(then));
  EXPECT_LE(then.back(), hashes.back());
}

TEST(Fingerprint, HashesThatCannotBeAreTold) {
  EXPECT_TRUE(Fingerprint::are_hashes({}));
  EXPECT_TRUE(Fingerprint::are_hashes({1, 2}));
  EXPECT_FALSE(Fingerprint::are_hashes({2, 1}));
  EXPECT_FALSE(Fingerprint::are_hashes({1, 1}));
  EXPECT_FALSE(Fingerprint::are_hashes(std::vector<std::uint64_t>(Fingerprint::kMost + 1)));
}

}  // namespace
}  // namespace reveal::model
