#include "attribute/side_by_side.h"

#include <cmath>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kTick_ns = 100'000'000;
constexpr std::int64_t kBegin_ns = 5'000'000'000;

// Two channels for 4 s: the first's value is the tick's number.
class SideBySideTest : public testing::Test {
 protected:
  void fill(double (*second)(int tick)) {
    model::MetricDescriptor row;
    row.kind = model::Kind::kGauge;
    row.name = "first";
    first_ = channels_.add_channel(channels_.add_metric(row));
    row.name = "second";
    second_ = channels_.add_channel(channels_.add_metric(row));
    for (int tick = 0; tick < 40; ++tick) {
      ticks_.add(channels_, static_cast<std::uint64_t>(tick), kBegin_ns + tick * kTick_ns, kTick_ns,
                 std::vector<double>{static_cast<double>(tick), second(tick)});
    }
  }

  std::optional<SideBySide> both(TickRange range) const {
    const auto lead = lead_of(ticks_, first_, range);
    return lead ? side_by_side(ticks_, *lead, second_) : std::nullopt;
  }

  static bool all(const model::MetricDescriptor&) { return true; }

  model::ChannelTable channels_;
  window::TickHistory ticks_{all};
  model::ChannelId first_{0};
  model::ChannelId second_{0};
};

TEST_F(SideBySideTest, TicksStandBesideTicksAndAMissingOneIsAsTheOneBefore) {
  fill([](int tick) { return tick == 23 ? std::nan("") : 2.0 * tick; });
  const auto pair = both({20, 30});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->step_ns, kTick_ns);
  EXPECT_THAT(pair->first, ElementsAre(20, 21, 22, 23, 24, 25, 26, 27, 28, 29));
  EXPECT_THAT(pair->second, ElementsAre(40, 42, 44, 44, 48, 50, 52, 54, 56, 58));
  EXPECT_EQ(pair->at_ns.front(), kBegin_ns + 20 * kTick_ns);
}

// A sample of tick 15 tells of the ticks 6 to 15, whose mean is 10.5. That of tick 5 is the first.
TEST_F(SideBySideTest, ASecondsSampleStandsBesideTheMeanOfItsSecond) {
  fill([](int tick) { return tick % 10 == 5 ? 100.0 + tick : std::nan(""); });
  const auto pair = both({0, 40});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->step_ns, 10 * kTick_ns);
  EXPECT_THAT(pair->first, ElementsAre(10.5, 20.5, 30.5));
  EXPECT_THAT(pair->second, ElementsAre(115, 125, 135));
  EXPECT_THAT(pair->at_ns, ElementsAre(kBegin_ns + 15 * kTick_ns, kBegin_ns + 25 * kTick_ns,
                                       kBegin_ns + 35 * kTick_ns));
}

TEST_F(SideBySideTest, SamplesThatComeUnevenlyStandBesideNothing) {
  fill([](int tick) { return tick == 1 || tick == 30 || tick == 33 ? 1.0 : std::nan(""); });
  EXPECT_FALSE(both({0, 40}));
  EXPECT_FALSE(both({2, 29}));  // none at all
}

TEST_F(SideBySideTest, TheLeadHasASampleWithNearlyEveryTick) {
  fill([](int tick) { return tick % 10 == 5 ? 1.0 : std::nan(""); });
  EXPECT_TRUE(lead_of(ticks_, first_, {0, 40}));
  EXPECT_FALSE(lead_of(ticks_, second_, {0, 40}));
}

}  // namespace
}  // namespace reveal::attribute
