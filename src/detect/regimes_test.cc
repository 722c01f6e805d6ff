#include "detect/regimes.h"

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "detect/design.h"
#include "detect/saturation_signals.h"
#include "feature/feature.h"

namespace reveal::detect {
namespace {

using testing::ElementsAre;

// A host whose page tables, mapped memory, sockets, work and pressure are given by row.
class Host {
 public:
  Host() {
    for (const auto* name :
         {"memory_page_tables_bytes", "memory_mapped_bytes", "network_used_sockets",
          "cpu_busy_ratio", "cpu_pressure_some_seconds_total"}) {
      model::MetricDescriptor metric;
      metric.name = name;
      const auto channel = channels.add_channel(channels.add_metric(metric));
      matrix.add_column({channel, feature::find_feature("mean").value()});
    }
  }
  // Adds windows that are alike, but for a little that each has of its own.
  Host& then(std::size_t windows, const std::array<double, 5>& levels) {
    for (std::size_t i = 0; i < windows; ++i) {
      auto& values = matrix.add_row({});
      const double little = 1 + 0.001 * static_cast<double>(i % 4);
      for (std::size_t c = 0; c < levels.size(); ++c) values[c] = levels[c] * little;
    }
    return *this;
  }
  std::vector<std::size_t> found() const { return regimes(matrix, channels); }

  model::ChannelTable channels;
  feature::FeatureMatrix matrix;
};

constexpr std::array kIdle{1.7e6, 32e6, 2.0, 0.01, 0.002};
constexpr std::array kJob{3.9e6, 145e6, 10.0, 0.83, 0.3};
constexpr std::array kContended{3.9e6, 145e6, 10.0, 0.97, 0.7};

TEST(Regimes, BeginWhereAJobDoes) {
  EXPECT_THAT(Host().then(100, kIdle).then(30, kJob).then(40, kIdle).found(),
              ElementsAre(0, 100, 130));
}

TEST(Regimes, AreNotWhatIsDone) {
  EXPECT_THAT(Host().then(60, kJob).then(40, kContended).then(40, kJob).found(), ElementsAre(0));
}

TEST(Regimes, AreNotWhatPasses) {
  EXPECT_THAT(Host().then(60, kIdle).then(19, kJob).then(60, kIdle).found(), ElementsAre(0));
}

TEST(Regimes, NeedTwoThatSaySo) {
  auto one = kIdle;
  one[2] = 40;
  EXPECT_THAT(Host().then(60, kIdle).then(60, one).found(), ElementsAre(0));
  one[0] *= 1.2;  // less than a quarter more
  EXPECT_THAT(Host().then(60, kIdle).then(60, one).found(), ElementsAre(0));
  one[0] *= 1.1;
  EXPECT_THAT(Host().then(60, kIdle).then(60, one).found(), ElementsAre(0, 60));
}

TEST(Regimes, OfNothingThereAreNone) {
  EXPECT_TRUE(Host().found().empty());
  EXPECT_THAT(Host().then(5, kIdle).found(), ElementsAre(0));
}

// By hand: of 30 windows of pressure 0.3 the median is 0.3 times 1.001 or 1.002, in least rises 3;
// a tenth more is what stands out in it.
TEST(Regimes, PressureIsToldByTheRegimesOwn) {
  auto more = kJob;
  more[4] = 0.42;
  Host host;
  host.then(100, kIdle).then(30, kJob).then(5, more).then(25, kJob);
  const auto design = make_design(
      host.matrix,
      {.least_rises = least_rises(host.matrix, host.channels), .regimes = host.found()});
  ASSERT_TRUE(design);
  const auto& x = design->saturation.x;
  EXPECT_NEAR(x(50, 0), 0, 0.01);
  EXPECT_TRUE(std::isnan(x(97, 0)));
  EXPECT_TRUE(std::isnan(x(106, 0)));
  EXPECT_NEAR(x(107, 0), 0, 0.01);
  EXPECT_NEAR(x(132, 0), 1.2, 0.02);
  const auto plain =
      make_design(host.matrix, {.least_rises = least_rises(host.matrix, host.channels)});
  EXPECT_NEAR(plain->saturation.x(107, 0), 3, 0.01);
}

// By hand: 0.75 is 7.5 least rises, 4.5 above the 3 of the job and 7.48 above the idle host's 0.02.
TEST(Regimes, WhatIsFarAboveBothIsJudgedBetweenThem) {
  auto loads = kJob;
  loads[4] = 0.5;  // two above the job
  auto disturbed = kJob;
  disturbed[4] = 0.75;
  Host host;
  host.then(100, kIdle).then(2, loads).then(3, disturbed).then(55, kJob);
  const auto design = make_design(
      host.matrix,
      {.least_rises = least_rises(host.matrix, host.channels), .regimes = host.found()});
  ASSERT_TRUE(design);
  const auto& x = design->saturation.x;
  EXPECT_TRUE(std::isnan(x(99, 0)));
  EXPECT_TRUE(std::isnan(x(101, 0)));
  EXPECT_NEAR(x(103, 0), 4.5, 0.05);
  EXPECT_TRUE(std::isnan(x(105, 0)));
  const auto& cut = design->saturation.at_cut;
  EXPECT_EQ(std::count(cut.begin(), cut.end(), true), 10);
  EXPECT_TRUE(cut[97] && cut[103] && cut[106] && !cut[96] && !cut[107]);
}

}  // namespace
}  // namespace reveal::detect
