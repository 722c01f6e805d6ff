#include "page/envelopes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "page/testing/test_frames.h"

namespace reveal::page {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double uniform(base::Rng& rng) {
  return static_cast<double>(rng.next() % 1'000'000) / 1e6;
}

TEST(Envelopes, WhatIsReadLessOftenIsNotMissing) {
  Envelopes envelopes;
  Frames frames({&envelopes});
  for (std::uint64_t tick = 0; tick < 1000; ++tick) {
    const double slow = tick % 10 == 3 ? 1 : kNaN;
    const double holes = tick % 10 == 3 && (tick < 400 || tick >= 600) ? 1 : kNaN;
    const double late = tick >= 250 ? 1 : kNaN;
    frames.write(tick, {1, slow, holes, late, kNaN});
  }
  frames.finish();
  const auto& by_channel = envelopes.by_channel();
  const auto missing = [&](std::size_t channel) {
    return by_channel[channel].missing(envelopes.frames());
  };
  EXPECT_EQ(by_channel[0].step, 1u);
  EXPECT_EQ(by_channel[1].step, 10u);
  EXPECT_EQ(by_channel[2].step, 10u);
  EXPECT_DOUBLE_EQ(missing(0), 0);
  EXPECT_DOUBLE_EQ(missing(1), 0);
  EXPECT_DOUBLE_EQ(missing(2), 0.2);
  EXPECT_DOUBLE_EQ(missing(3), 0.25);
  EXPECT_DOUBLE_EQ(missing(4), 1);
}

// All samples of one channel by tick from the first frame, the plain way.
using Samples = std::map<std::uint64_t, double>;

void expect_equal(const Envelopes& envelopes, std::size_t channel, const Samples& samples) {
  const auto& envelope = envelopes.by_channel()[channel];
  ASSERT_EQ(envelope.samples, samples.size());
  if (!envelope.moved()) {
    for (const auto& [tick, sample] : samples) EXPECT_EQ(sample, envelope.first);
    EXPECT_EQ(envelope.low, envelope.high);
    return;
  }
  const double tolerance = (envelope.high - envelope.low) * 1e-6;
  for (std::size_t bucket = 0; bucket < envelopes.buckets(); ++bucket) {
    const auto begin = samples.lower_bound(bucket * envelopes.bucket_ticks());
    const auto end = samples.lower_bound((bucket + 1) * envelopes.bucket_ticks());
    SCOPED_TRACE(testing::Message() << "channel " << channel << ", bucket " << bucket);
    if (begin == end) {
      EXPECT_TRUE(std::isnan(envelope.low_of(bucket)));
      EXPECT_TRUE(std::isnan(envelope.high_of(bucket)));
      EXPECT_TRUE(std::isnan(envelope.mean_of(bucket)));
      continue;
    }
    double low = begin->second;
    double high = begin->second;
    double sum = 0;
    for (auto at = begin; at != end; ++at) {
      low = std::min(low, at->second);
      high = std::max(high, at->second);
      sum += at->second;
    }
    EXPECT_NEAR(envelope.low_of(bucket), low, tolerance);
    EXPECT_NEAR(envelope.high_of(bucket), high, tolerance);
    EXPECT_NEAR(envelope.mean_of(bucket), sum / static_cast<double>(std::distance(begin, end)),
                tolerance);
  }
}

// Noise far from 0; a channel that comes late; one that is constant until late and misses samples;
// one of rare samples; gaps in the sequence, one of them longer than many buckets.
struct NoisyRun {
  Envelopes envelopes;
  std::vector<Samples> samples{4};
  std::uint64_t first_sequence;

  NoisyRun(std::uint64_t first, std::uint64_t ticks) : first_sequence(first) {
    base::Rng rng(11);
    Frames frames({&envelopes});
    for (std::uint64_t tick = 0; tick < ticks; ++tick) {
      const bool gap = tick > 0 && tick + 1 < ticks && (tick % 97 == 13 || tick / 500 == 3);
      if (gap) continue;
      std::vector<double> row(tick < 700 ? 1 : 4, kNaN);
      row[0] = 8e9 + 1e6 * uniform(rng);
      if (row.size() > 1) {
        row[1] = -uniform(rng);
        row[2] = tick % 7 == 0 ? kNaN : tick < 2000 ? 42 : uniform(rng);
        if (tick % 50 == 0) row[3] = static_cast<double>(tick);
      }
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!std::isnan(row[i])) samples[i][tick] = row[i];
      }
      frames.write(first + tick, row);
    }
    frames.finish();
  }
};

TEST(Envelopes, HoldsWhatBruteForceFinds) {
  for (const std::uint64_t ticks : {1U, 900U, 1200U, 1201U, 2399U, 4801U, 10000U}) {
    SCOPED_TRACE(ticks);
    const NoisyRun run(0, ticks);
    EXPECT_EQ(run.envelopes.ticks(), ticks);
    EXPECT_LE(run.envelopes.buckets(), kMaxBuckets);
    EXPECT_EQ(run.envelopes.buckets(),
              (ticks + run.envelopes.bucket_ticks() - 1) / run.envelopes.bucket_ticks());
    for (std::size_t i = 0; i < run.envelopes.by_channel().size(); ++i) {
      expect_equal(run.envelopes, i, run.samples[i]);
    }
  }
}

TEST(Envelopes, HasTheShortestBucketsThatFit) {
  EXPECT_EQ(NoisyRun(0, 1200).envelopes.bucket_ticks(), 1U);
  EXPECT_EQ(NoisyRun(0, 1201).envelopes.bucket_ticks(), 2U);
  EXPECT_EQ(NoisyRun(0, 36000).envelopes.bucket_ticks(), 32U);
  EXPECT_EQ(NoisyRun(0, 36000).envelopes.buckets(), 1125U);
}

TEST(Envelopes, HalvedTwiceIsStillWhatBruteForceFinds) {
  NoisyRun run(0, 3001);
  run.envelopes.halve();
  run.envelopes.halve();
  EXPECT_EQ(run.envelopes.bucket_ticks(), 16U);
  EXPECT_EQ(run.envelopes.buckets(), 188U);
  for (std::size_t i = 0; i < 4; ++i) expect_equal(run.envelopes, i, run.samples[i]);
}

TEST(Envelopes, CountsFromTheFirstFrame) {
  const NoisyRun run(5'000'000, 900);
  EXPECT_EQ(run.envelopes.ticks(), 900U);
  EXPECT_EQ(run.envelopes.bucket_ticks(), 1U);
  EXPECT_EQ(run.envelopes.begin_ns(), Frames::kBegin_ns + 5'000'000 * Frames::kInterval_ns);
  expect_equal(run.envelopes, 0, run.samples[0]);
}

TEST(Envelopes, KnowsWhichBucketsHaveNoFrame) {
  Envelopes envelopes;
  Frames frames({&envelopes});
  for (const std::uint64_t tick : {0U, 1U, 5U}) frames.write(tick, {1});
  frames.finish();
  std::vector<std::uint32_t> in;
  for (std::size_t i = 0; i < envelopes.buckets(); ++i) in.push_back(envelopes.frames_in(i));
  EXPECT_THAT(in, testing::ElementsAre(1, 1, 0, 0, 0, 1));
}

TEST(Envelopes, WhatNeverMovesHasNoEnvelope) {
  Envelopes envelopes;
  Frames frames({&envelopes});
  for (std::uint64_t tick = 0; tick < 3000; ++tick) frames.write(tick, {7.5});
  frames.finish();
  EXPECT_FALSE(envelopes.by_channel()[0].moved());
  EXPECT_EQ(envelopes.by_channel()[0].low, 7.5);
  EXPECT_TRUE(envelopes.by_channel()[0].means.empty());
}

TEST(Envelopes, InfinityIsNoSample) {
  Envelopes envelopes;
  Frames frames({&envelopes});
  frames.write(0, {std::numeric_limits<double>::infinity()});
  frames.write(1, {3});
  frames.finish();
  EXPECT_EQ(envelopes.by_channel()[0].samples, 1U);
  EXPECT_EQ(envelopes.by_channel()[0].high, 3);
}

}  // namespace
}  // namespace reveal::page
