#include "window/window_cutter.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::window {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kStart = 1'700'000'000'000 * kMs;
// Windows of 6 ticks every 2.
constexpr WindowSpec kSpec{
    .interval_ns = 100 * kMs, .length_ns = 600 * kMs, .stride_ns = 200 * kMs};

struct Cut {
  WindowSpan span;
  std::vector<std::vector<double>> channels;
};

// Feeds a cutter rows whose channel c holds sequence + 1000 * c, and keeps what comes out.
class Harness {
 public:
  explicit Harness(WindowSpec spec = kSpec) : cutter_(spec) {}

  void push(std::uint64_t sequence, std::size_t channels = 1) {
    row_.clear();
    for (std::size_t c = 0; c < channels; ++c)
      row_.push_back(static_cast<double>(sequence) + 1000.0 * static_cast<double>(c));
    cutter_.push(
        sequence, kStart + static_cast<std::int64_t>(sequence) * 100 * kMs, row_,
        [this](const WindowView& view) { keep(view); },
        [this](std::uint64_t missing) { return means(missing); });
  }
  void push_range(std::uint64_t begin, std::uint64_t end, std::size_t channels = 1) {
    for (std::uint64_t s = begin; s < end; ++s) push(s, channels);
  }
  std::vector<std::uint32_t> ids() const {
    std::vector<std::uint32_t> result;
    for (const auto& cut : cuts) result.push_back(cut.span.id.value());
    return result;
  }
  std::uint64_t skipped() const { return cutter_.skipped(); }

  bool knows_means = false;  // in a gap, channel c then has the number of its ticks + 1000 * c
  std::vector<Cut> cuts;

 private:
  void keep(const WindowView& view) {
    Cut cut{view.span(), {}};
    for (std::size_t c = 0; c < view.channel_count(); ++c) {
      std::vector<double>& values = cut.channels.emplace_back();
      for (std::size_t t = 0; t < view.tick_count(); ++t) values.push_back(view.row(t)[c]);
    }
    cuts.push_back(cut);
  }

  std::vector<double> means(std::uint64_t missing) const {
    std::vector<double> out;
    for (std::size_t c = 0; knows_means && c < row_.size(); ++c) {
      out.push_back(static_cast<double>(missing) + 1000.0 * static_cast<double>(c));
    }
    return out;
  }

  WindowCutter cutter_;
  std::vector<double> row_;
};

std::size_t holes(const std::vector<double>& values) {
  std::size_t count = 0;
  for (double value : values) count += std::isnan(value) ? 1U : 0U;
  return count;
}

TEST(WindowCutter, GivesNothingBeforeAWindowIsComplete) {
  Harness h;
  h.push_range(0, 5);
  EXPECT_THAT(h.cuts, IsEmpty());
  h.push(5);
  EXPECT_THAT(h.ids(), ElementsAre(0));
}

TEST(WindowCutter, OverlapsByLengthLessStride) {
  Harness h;
  h.push_range(0, 11);
  EXPECT_THAT(h.ids(), ElementsAre(0, 1, 2));
  EXPECT_THAT(h.cuts[0].channels[0], ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(h.cuts[2].channels[0], ElementsAre(4, 5, 6, 7, 8, 9));
  EXPECT_EQ(h.skipped(), 0U);
}

TEST(WindowCutter, AnchorsOnTheFirstSequence) {
  Harness h;
  h.push_range(101, 109);
  ASSERT_THAT(h.ids(), ElementsAre(0, 1));
  const WindowSpan& span = h.cuts[1].span;
  EXPECT_EQ(span.first_sequence, 103U);
  EXPECT_EQ(span.begin_ns, kStart + 10'300 * kMs);
  EXPECT_EQ(span.end_ns, span.begin_ns + 600 * kMs);
  EXPECT_EQ(span.missing_ticks, 0U);
}

TEST(WindowCutter, LeavesHolesForMissingTicks) {
  Harness h;
  h.push_range(0, 2);
  h.push_range(4, 8);
  ASSERT_THAT(h.ids(), ElementsAre(0, 1));
  EXPECT_EQ(h.cuts[0].span.missing_ticks, 2U);
  EXPECT_TRUE(std::isnan(h.cuts[0].channels[0][2]));
  EXPECT_TRUE(std::isnan(h.cuts[0].channels[0][3]));
  EXPECT_EQ(h.cuts[0].channels[0][4], 4.0);
}

TEST(WindowCutter, TimesAWindowWhoseFirstTickIsMissing) {
  Harness h;
  h.push_range(0, 2);
  h.push_range(4, 8);
  ASSERT_EQ(h.cuts.size(), 2U);
  EXPECT_EQ(h.cuts[1].span.first_sequence, 2U);
  EXPECT_EQ(h.cuts[1].span.begin_ns, kStart + 200 * kMs);
}

TEST(WindowCutter, GivesAWindowWhoseLastTicksAreMissingOnceALaterTickCame) {
  Harness h;
  h.push_range(0, 4);
  EXPECT_THAT(h.cuts, IsEmpty());
  h.push(6);
  ASSERT_THAT(h.ids(), ElementsAre(0));
  EXPECT_EQ(h.cuts[0].span.missing_ticks, 2U);
  EXPECT_EQ(holes(h.cuts[0].channels[0]), 2U);
}

TEST(WindowCutter, KeepsAWindowOfWhichHalfIsMissingAndSkipsOneWithLess) {
  Harness half;
  half.push_range(0, 3);
  half.push(6);
  EXPECT_THAT(half.ids(), ElementsAre(0));
  Harness less;
  less.push_range(0, 2);
  less.push(6);
  EXPECT_THAT(less.ids(), IsEmpty());
  EXPECT_EQ(less.skipped(), 1U);
}

// Windows 0 and 2^31 are whole; of those that reach over an edge of the gap, 1 and 2^31 - 1 hold
// four of six ticks, the others two. All between hold none and must cost nothing.
TEST(WindowCutter, CrossesALongGapAtOnceAndKeepsCountingIds) {
  constexpr std::uint64_t kFar = 1ULL << 32U;
  Harness h;
  h.push_range(0, 6);
  h.push_range(kFar, kFar + 6);
  EXPECT_THAT(h.ids(), ElementsAre(0, 1, kFar / 2 - 1, kFar / 2));
  EXPECT_EQ(h.cuts[3].span.first_sequence, kFar);
  EXPECT_THAT(holes(h.cuts[3].channels[0]), 0U);
  EXPECT_EQ(h.skipped(), kFar / 2 + 1 - 4);
}

TEST(WindowCutter, NeverMixesTicksOfDifferentRoundsOfTheRing) {
  Harness h;
  h.push_range(0, 6);
  h.push_range(9, 13);  // tick 9 lies in the slot of tick 3
  for (const Cut& cut : h.cuts) {
    for (std::size_t i = 0; i < 6; ++i) {
      const double value = cut.channels[0][i];
      EXPECT_TRUE(std::isnan(value) || value == static_cast<double>(cut.span.first_sequence + i));
    }
  }
  EXPECT_THAT(h.ids(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(h.cuts[2].span.missing_ticks, 3U);
}

TEST(WindowCutter, FillsTicksBeforeAChannelCameWithHoles) {
  Harness h;
  h.push_range(0, 4, 1);
  h.push_range(4, 6, 2);
  ASSERT_EQ(h.cuts.size(), 1U);
  ASSERT_EQ(h.cuts[0].channels.size(), 2U);
  EXPECT_EQ(holes(h.cuts[0].channels[1]), 4U);
  EXPECT_EQ(h.cuts[0].channels[1][4], 1004.0);
  EXPECT_EQ(h.cuts[0].span.missing_ticks, 0U);
}

TEST(WindowCutter, KeepsTheChannelsOfARowThatShrinks) {
  Harness h;
  h.push_range(0, 5, 2);
  h.push(5, 1);
  ASSERT_EQ(h.cuts.size(), 1U);
  ASSERT_EQ(h.cuts[0].channels.size(), 2U);
  EXPECT_TRUE(std::isnan(h.cuts[0].channels[1][5]));
}

TEST(WindowCutter, IgnoresTicksThatDoNotComeAfterTheLast) {
  Harness h;
  h.push_range(10, 14);
  h.push(13, 3);
  h.push(2, 3);
  h.push_range(14, 16);
  ASSERT_EQ(h.cuts.size(), 1U);
  EXPECT_EQ(h.cuts[0].channels.size(), 1U);
  EXPECT_THAT(h.cuts[0].channels[0], ElementsAre(10, 11, 12, 13, 14, 15));
}

TEST(WindowCutter, HoldsTheMeansOfAGapIfMostOfAWindowIsMissing) {
  Harness h;
  h.knows_means = true;
  h.push_range(0, 2, 2);
  h.push_range(12, 18, 2);
  EXPECT_THAT(h.ids(), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_EQ(h.skipped(), 0U);
  EXPECT_THAT(h.cuts[0].channels[0], ElementsAre(0, 1, 10, 10, 10, 10));
  EXPECT_THAT(h.cuts[2].channels[1], testing::Each(1010));
  EXPECT_EQ(h.cuts[2].span.missing_ticks, 6U);
  EXPECT_EQ(h.cuts[2].span.begin_ns, kStart + 400 * kMs);
  EXPECT_EQ(h.cuts[2].span.first_sequence, 4U);
  EXPECT_THAT(h.cuts[4].channels[0], ElementsAre(10, 10, 10, 10, 10, 13));
  EXPECT_EQ(holes(h.cuts[5].channels[0]), 2U);  // most of it came
  EXPECT_EQ(h.cuts[5].channels[0][2], 12);      // so the tick after the gap has what it came with
}

TEST(WindowCutter, HoldsTheMeansOfEachOfSeveralGaps) {
  Harness h;
  h.knows_means = true;
  for (const std::uint64_t sequence : {0U, 3U, 7U, 8U}) h.push(sequence);
  ASSERT_THAT(h.ids(), ElementsAre(0, 1));
  EXPECT_THAT(h.cuts[0].channels[0], ElementsAre(0, 2, 2, 2, 3, 3));
  EXPECT_THAT(h.cuts[1].channels[0], ElementsAre(2, 2, 3, 3, 3, 3));
}

TEST(WindowCutter, DoesNotBridgeMoreThanAMinute) {
  const auto longest = static_cast<std::uint64_t>(WindowCutter::kLongestBridged_ns / (100 * kMs));
  Harness bridged;
  bridged.knows_means = true;
  bridged.push_range(0, 6);
  bridged.push(6 + longest);
  EXPECT_EQ(bridged.skipped(), 0U);
  Harness longer;
  longer.knows_means = true;
  longer.push_range(0, 6);
  longer.push(6 + longest + 1);
  EXPECT_THAT(longer.ids(), ElementsAre(0, 1));
  EXPECT_GT(longer.skipped(), 290U);
}

// Against the definition itself: for every number of the stride axis, the ticks that were pushed.
TEST(WindowCutter, AgreesWithTheDefinitionOnRandomGaps) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    base::Rng rng(seed);
    const std::size_t stride = 1 + rng.below(7);
    Harness h({100 * kMs, 700 * kMs, static_cast<std::int64_t>(stride) * 100 * kMs});
    std::vector<bool> present(120, false);
    const std::uint64_t first = rng.below(5);
    for (std::uint64_t s = first; s < present.size();
         s += 1 + (rng.below(4) == 0 ? rng.below(9) : 0)) {
      present[s] = true;
      h.push(s);
    }
    std::uint64_t last = present.size() - 1;
    while (!present[last]) --last;

    std::size_t emitted = 0;
    std::uint64_t skipped = 0;
    for (std::uint64_t k = 0; first + k * stride + 7 <= last + 1; ++k) {
      std::size_t missing = 0;
      for (std::uint64_t s = first + k * stride; s < first + k * stride + 7; ++s)
        missing += present[s] ? 0U : 1U;
      if (missing > 3) {
        ++skipped;
        continue;
      }
      ASSERT_LT(emitted, h.cuts.size());
      const WindowSpan& span = h.cuts[emitted++].span;
      EXPECT_EQ(span.id.value(), k);
      EXPECT_EQ(span.missing_ticks, missing);
      EXPECT_EQ(span.begin_ns, kStart + static_cast<std::int64_t>(first + k * stride) * 100 * kMs);
    }
    EXPECT_EQ(emitted, h.cuts.size()) << "seed " << seed;
    EXPECT_EQ(skipped, h.skipped()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace reveal::window
