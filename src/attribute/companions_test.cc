// Companions of a finding in recordings whose truth is known.
#include "attribute/companions.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attribute/lagged_correlation.h"
#include "base/rng.h"
#include "feature/feature.h"

namespace reveal::attribute {
namespace {

using model::Subsystem;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kTick_ns = 100'000'000;
constexpr int kTicks = 1200;

// Two minutes in which a disk stalls work from 60 s to 66 s, in bursts of its own.
class CompanionsTest : public testing::Test {
 protected:
  using Level = std::function<double(int tick)>;

  model::ChannelId add(std::string_view metric, Subsystem subsystem, Level level) {
    model::MetricDescriptor row;
    row.name = metric;
    row.kind = model::Kind::kGauge;
    row.subsystem = subsystem;
    levels_.push_back(std::move(level));
    return channels_.add_channel(channels_.add_metric(row));
  }

  // How hard the disk is hit: it comes and goes within the stretch.
  static double burst(int tick) {
    if (tick < 600 || tick >= 660) return 0;
    return 1 + std::sin(tick * 0.7) + std::sin(tick * 0.31);
  }

  static double burst_of_second(int last_tick) {
    double sum = 0;
    for (int tick = last_tick - 9; tick <= last_tick; ++tick) sum += burst(tick);
    return sum / 10;
  }

  double noise() { return rng_.uniform() - 0.5; }

  std::vector<Companion> found(model::ChannelId claimed, int ticks = kTicks) {
    for (int tick = 0; tick < ticks; ++tick) {
      std::vector<double> row;
      for (const auto& level : levels_) row.push_back(level(tick));
      ticks_.add(channels_, static_cast<std::uint64_t>(tick), tick * kTick_ns, kTick_ns, row);
    }
    Finding finding;
    for (int begin = 590; begin <= 630; begin += 10) {
      finding.windows.push_back(
          {{window::WindowId(static_cast<std::size_t>(begin / 10)), begin * kTick_ns,
            (begin + 30) * kTick_ns, static_cast<std::uint64_t>(begin), 0},
           {}});
    }
    finding.subsystems = {0, 0, 0, 0, 1};
    finding.telling = Evidence{{claimed, *feature::find_feature("mean")}, 1, 0, 0, 1};
    return companions_of(channels_, ticks_, finding);
  }

  model::ChannelTable channels_;
  window::TickHistory ticks_{tells_ticks};
  std::vector<Level> levels_;
  base::Rng rng_{11};
};

TEST_F(CompanionsTest, AreWhatMovedThenAndNotElsewhere) {
  const auto pressure = add("storage_io_pressure_some_seconds_total", Subsystem::kStorage,
                            [&](int t) { return burst(t) + 0.1 * noise(); });
  const auto interrupts = add("cpu_interrupts_total", Subsystem::kCpu,
                              [&](int t) { return 2000 + 500 * burst(t - 3) + 100 * noise(); });
  add("network_sent_bytes_total", Subsystem::kNetwork, [&](int) { return 100 * noise(); });
  const auto companions = found(pressure);
  ASSERT_THAT(companions, SizeIs(1));
  EXPECT_EQ(companions[0].channel, interrupts);
  EXPECT_EQ(companions[0].leader, pressure);
  EXPECT_GT(companions[0].correlation, 0.9);
  EXPECT_LT(companions[0].usual_correlation, 0.5);
  EXPECT_EQ(companions[0].lag_ns, 3 * kTick_ns);
  EXPECT_GT(companions[0].observed, 2300);
  EXPECT_NEAR(companions[0].usual, 2000, 20);
}

TEST_F(CompanionsTest, AreNotWhatAlwaysMovesAlong) {
  const auto always = [](int t) { return std::sin(t * 0.5) + std::sin(t * 0.13); };
  const auto pressure = add("storage_io_pressure_some_seconds_total", Subsystem::kStorage,
                            [&](int t) { return burst(t) * 3 + always(t) + 0.1 * noise(); });
  add("cpu_interrupts_total", Subsystem::kCpu,
      [&](int t) { return 3 * burst(t) + always(t) + 0.1 * noise(); });
  EXPECT_THAT(found(pressure), IsEmpty());
}

TEST_F(CompanionsTest, AreOfOtherSubsystemsTheStrongestOfEach) {
  const auto pressure = add("storage_io_pressure_some_seconds_total", Subsystem::kStorage,
                            [&](int t) { return burst(t) + 0.1 * noise(); });
  add("storage_written_sectors_total", Subsystem::kStorage,
      [&](int t) { return burst(t) + 0.1 * noise(); });
  add("cpu_softirqs_total", Subsystem::kCpu, [&](int t) { return burst(t) + 0.9 * noise(); });
  const auto interrupts = add("cpu_interrupts_total", Subsystem::kCpu,
                              [&](int t) { return -burst(t) + 0.1 * noise(); });
  const auto faults = add("memory_page_faults_total", Subsystem::kMemory,
                          [&](int t) { return burst(t) + 0.5 * noise(); });
  const auto companions = found(pressure);
  ASSERT_THAT(companions, SizeIs(2));
  EXPECT_EQ(companions[0].channel, interrupts);
  EXPECT_LT(companions[0].correlation, -0.9);
  EXPECT_EQ(companions[1].channel, faults);
}

// The last window is that of 63.0 to 66.0 s; a host that is watched knows nothing after it.
TEST_F(CompanionsTest, AreToldWhileItGoesOn) {
  const auto pressure = add("storage_io_pressure_some_seconds_total", Subsystem::kStorage,
                            [&](int t) { return burst(t) + 0.1 * noise(); });
  add("cpu_interrupts_total", Subsystem::kCpu,
      [&](int t) { return 2000 + 500 * burst(t) + 100 * noise(); });
  EXPECT_THAT(found(pressure, 660), SizeIs(1));
}

// Once a second, of what was in that second: the frequency falls as the disk is hit.
double frequency(int tick, double burst, double noise) {
  return tick % 10 == 9 ? 3e9 - 4e8 * burst + 1e8 * noise : std::nan("");
}

TEST_F(CompanionsTest, MayBeReadOnceASecond) {
  const auto pressure = add("storage_io_pressure_some_seconds_total", Subsystem::kStorage,
                            [&](int t) { return burst(t) + 0.1 * noise(); });
  const auto clock = add("cpu_host_busy_frequency_hertz", Subsystem::kCpu,
                         [&](int t) { return frequency(t, burst_of_second(t), noise()); });
  const auto companions = found(pressure);
  ASSERT_THAT(companions, SizeIs(1));
  EXPECT_EQ(companions[0].channel, clock);
  EXPECT_LT(companions[0].correlation, -0.97);
  EXPECT_EQ(companions[0].lag_ns, 0);
  EXPECT_LT(companions[0].observed, 2.8e9);
  EXPECT_NEAR(companions[0].usual, 3e9, 0.05e9);
}

TEST_F(CompanionsTest, OfFewSamplesHaveAStrongerCorrelation) {
  const auto pressure = add("storage_io_pressure_some_seconds_total", Subsystem::kStorage,
                            [&](int t) { return burst(t) + 0.1 * noise(); });
  add("cpu_host_busy_frequency_hertz", Subsystem::kCpu, [&](int t) {
    const bool is_near = t >= 560 && t < 690;  // it stands still elsewhere
    if (t % 10 != 9) return std::nan("");
    return is_near ? burst_of_second(t) + 0.4 * std::sin(t) : 0.0;
  });
  const auto interrupts = add("cpu_interrupts_total", Subsystem::kCpu,
                              [&](int t) { return burst(t) + 0.6 * std::sin(t * 1.7); });
  const auto companions = found(pressure);
  ASSERT_THAT(companions, SizeIs(1));
  EXPECT_EQ(companions[0].channel, interrupts);
  EXPECT_LT(companions[0].correlation, 0.92);
}

TEST_F(CompanionsTest, AreUnknownIfTheClaimsChannelStoodStill) {
  const auto pressure =
      add("storage_io_pressure_some_seconds_total", Subsystem::kStorage, [](int) { return 1.0; });
  add("cpu_interrupts_total", Subsystem::kCpu, [&](int t) { return burst(t); });
  EXPECT_THAT(found(pressure), IsEmpty());
}

// By numpy's corrcoef: -0.5735 at no lag. The second series is the first one less 1, a sample
// earlier.
TEST(LaggedCorrelation, IsTheStrongestOfAllLags) {
  const std::vector<double> first{1, 5, 2, 8, 3};
  const std::vector<double> second{4, 1, 7, 2, 9};
  EXPECT_NEAR(strongest_correlation(first, second, 0).r, -0.573547, 1e-6);
  const auto found = strongest_correlation(first, second, 1);
  EXPECT_EQ(found.lag, -1);
  EXPECT_NEAR(found.r, 1, 1e-12);
  EXPECT_EQ(strongest_correlation(second, first, 1).lag, 1);
  EXPECT_EQ(strongest_correlation(first, std::vector<double>(5, 2.0), 1).r, 0);
}

}  // namespace
}  // namespace reveal::attribute
