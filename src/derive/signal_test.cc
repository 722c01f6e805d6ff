#include "derive/signal.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model/absence.h"

namespace reveal::derive {
namespace {

using model::Kind;
using model::Repr;
using model::Validity;
constexpr std::int64_t kTick = 100'000'000;

model::MetricDescriptor metric(Kind kind, Repr repr, double scale, std::string_view unit = "") {
  model::MetricDescriptor out;
  out.name = "storage_read_sectors_total";
  out.unit = unit;
  out.kind = kind;
  out.repr = repr;
  out.scale = scale;
  return out;
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

TEST(Signal, ACounterBecomesAScaledRate) {
  Signal signal(metric(Kind::kCounter, Repr::kU64, 0.01));
  EXPECT_TRUE(std::isnan(signal.step(100, Validity::kFresh, 0).value));
  const SignalValue second = signal.step(105, Validity::kFresh, kTick);
  EXPECT_DOUBLE_EQ(second.value, 0.5);  // 5 ticks of 10 ms in 100 ms
  EXPECT_DOUBLE_EQ(second.operand, 0.5);
}

TEST(Signal, ACounterIsExactAboveTwoToThe53) {
  Signal signal(metric(Kind::kCounter, Repr::kU64, 1.0));
  signal.step((std::uint64_t{1} << 60) + 1, Validity::kFresh, 0);
  EXPECT_DOUBLE_EQ(signal.step((std::uint64_t{1} << 60) + 4, Validity::kFresh, kTick).value, 30.0);
}

TEST(Signal, AnEventKeepsItsIncrement) {
  Signal signal(metric(Kind::kEvent, Repr::kU64, 1.0));
  EXPECT_TRUE(std::isnan(signal.step(3, Validity::kFresh, 0).value));
  const SignalValue second = signal.step(5, Validity::kFresh, kTick);
  EXPECT_DOUBLE_EQ(second.value, 2.0);
  EXPECT_DOUBLE_EQ(second.operand, 20.0);
}

TEST(Signal, ASlowCounterSpeaksOnlyWhenRead) {
  Signal signal(metric(Kind::kCounter, Repr::kU64, 1.0));
  signal.step(100, Validity::kFresh, 0);
  for (int tick = 1; tick < 10; ++tick) {
    EXPECT_TRUE(model::is_not_due(signal.step(100, Validity::kStale, tick * kTick).value));
  }
  EXPECT_FALSE(model::is_not_due(signal.step(0, Validity::kMissing, 9 * kTick + 1).value));
  EXPECT_DOUBLE_EQ(signal.step(150, Validity::kFresh, 10 * kTick).value, 50.0);
}

TEST(Signal, ASlowEventAddsNothingUntilItIsRead) {
  Signal signal(metric(Kind::kEvent, Repr::kU64, 1.0));
  signal.step(3, Validity::kFresh, 0);
  double sum = 0;
  for (int tick = 1; tick < 10; ++tick) {
    sum += signal.step(3, Validity::kStale, tick * kTick).value;
  }
  sum += signal.step(5, Validity::kFresh, 10 * kTick).value;
  EXPECT_DOUBLE_EQ(sum, 2.0);
}

TEST(Signal, AGaugeHoldsWhileStaleAndIsNothingWhenMissing) {
  for (const auto kind : {Kind::kGauge, Kind::kStatic}) {
    Signal signal(metric(kind, Repr::kU64, 1024.0));
    EXPECT_DOUBLE_EQ(signal.step(2, Validity::kFresh, 0).value, 2048.0);
    EXPECT_DOUBLE_EQ(signal.step(2, Validity::kStale, kTick).value, 2048.0);
    EXPECT_TRUE(std::isnan(signal.step(2, Validity::kMissing, 2 * kTick).value));
  }
}

// The kernel's sums over cores may be -1 for a moment, and some files print that without a sign.
TEST(Signal, ALevelBelowZeroIsMissing) {
  Signal wide(metric(Kind::kGauge, Repr::kU64, 1.0));
  for (const std::uint64_t bits :
       {~std::uint64_t{0}, ~std::uint64_t{0} - 3, std::uint64_t{1} << 63}) {
    EXPECT_TRUE(std::isnan(wide.step(bits, Validity::kFresh, 0).value)) << bits;
  }
  EXPECT_DOUBLE_EQ(wide.step(0xFFFFFFFF, Validity::kFresh, 0).value, 4294967295.0);
  model::MetricDescriptor of_32_bits = metric(Kind::kGauge, Repr::kU64, 1.0);
  of_32_bits.counter_bits = 32;
  Signal narrow(of_32_bits);
  for (const std::uint64_t bits : {0xFFFFFFFFU, 0xFFFFFFFEU, 0x80000000U}) {
    EXPECT_TRUE(std::isnan(narrow.step(bits, Validity::kFresh, 0).value)) << bits;
  }
  EXPECT_TRUE(std::isnan(narrow.step(~std::uint64_t{0}, Validity::kFresh, 0).value));
  EXPECT_DOUBLE_EQ(narrow.step(0x7FFFFFFF, Validity::kFresh, 0).value, 2147483647.0);
}

TEST(Signal, RealNumbersThatAreNoneAreMissing) {
  Signal gauge(metric(Kind::kGauge, Repr::kF64, 2.0));
  EXPECT_DOUBLE_EQ(gauge.step(bits(1.5), Validity::kFresh, 0).value, 3.0);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(std::isnan(gauge.step(bits(bad), Validity::kFresh, kTick).value));
  }
  Signal counter(metric(Kind::kCounter, Repr::kF64, 1.0));
  counter.step(bits(10.0), Validity::kFresh, 0);
  counter.step(bits(std::nan("")), Validity::kFresh, kTick);
  EXPECT_DOUBLE_EQ(counter.step(bits(10.5), Validity::kFresh, 2 * kTick).value, 2.5);
}

TEST(Signal, AReadingMarkedAsResetStartsTheCounterAnew) {
  Signal event(metric(Kind::kEvent, Repr::kU64, 1.0, "errors"));
  event.step(5, Validity::kFresh, 0);
  // A new device counts from 0 and is at 7 already: not 2 more errors than before.
  EXPECT_TRUE(std::isnan(event.step(7, Validity::kReset, kTick).value));
  EXPECT_DOUBLE_EQ(event.step(8, Validity::kFresh, 2 * kTick).value, 1.0);
  Signal gauge(metric(Kind::kGauge, Repr::kU64, 1.0, "watts"));
  EXPECT_DOUBLE_EQ(gauge.step(3, Validity::kReset, 0).value, 3.0);
}

TEST(Signal, StepBackToleranceIsInTime) {
  // 3 s of 10 ms ticks: idle may fall by 300, not by 301.
  auto idle = metric(Kind::kCounter, Repr::kU64, 0.01, "seconds");
  Signal held(idle);
  held.step(10'000, Validity::kFresh, 0);
  EXPECT_DOUBLE_EQ(held.step(9'700, Validity::kFresh, kTick).value, 0.0);
  Signal reset(idle);
  reset.step(10'000, Validity::kFresh, 0);
  EXPECT_TRUE(std::isnan(reset.step(9'699, Validity::kFresh, kTick).value));
}

TEST(AddSignalMetric, NamesTheUnit) {
  model::ChannelTable table;
  const auto add = [&table](Kind kind, std::string_view name, std::string_view unit) {
    auto raw = metric(kind, Repr::kU64, 0.5, unit);
    raw.name = name;
    return table.metric(add_signal_metric(table, raw));
  };
  EXPECT_EQ(add(Kind::kCounter, "a", "sectors").unit, "sectors/s");
  EXPECT_EQ(add(Kind::kCounter, "b", "seconds").unit, "ratio");
  EXPECT_EQ(add(Kind::kEvent, "c", "events").unit, "events");
  const auto gauge = add(Kind::kGauge, "d", "bytes");
  EXPECT_EQ(gauge.unit, "bytes");
  EXPECT_EQ(gauge.scale, 1.0);
  EXPECT_EQ(gauge.repr, Repr::kF64);
  EXPECT_EQ(gauge.kind, Kind::kGauge);
}

}  // namespace
}  // namespace reveal::derive
