// Turns over events that every kernel counts: two teams of software events stand for groups that do
// not fit beside one another. Time is the real one, but no test depends on how much of it passes.
#include "collect/perf/perf_core_collector.h"

#include <chrono>
#include <map>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <linux/perf_event.h>
#include <sched.h>

namespace reveal::collect {
namespace {

using model::ChannelId;
using model::Validity;

constexpr perf::EventDescriptor row(std::uint64_t config, std::string_view source,
                                    std::string_view metric, perf::Team team = perf::Team::kNone) {
  perf::EventDescriptor out{source, metric, metric, "events", "cpu", "A test's."};
  out.code = {.type = PERF_TYPE_SOFTWARE, .config = config};
  out.team = team;
  return out;
}

constexpr perf::EventDescriptor kBase =
    row(PERF_COUNT_SW_CPU_CLOCK, "perf cpu-cycles", "cpu_base_total");
constexpr perf::EventDescriptor kFirst =
    row(PERF_COUNT_SW_CPU_CLOCK, "perf first", "cpu_first_total", perf::Team::kTopdown);
constexpr perf::EventDescriptor kSecond =
    row(PERF_COUNT_SW_CPU_CLOCK, "perf second", "cpu_second_total");
constexpr perf::EventDescriptor kUnknown = row(1'000'000, "perf unknown", "cpu_unknown_total");

class Turns : public ::testing::Test {
 protected:
  void SetUp() override {
    if (auto opened = collector_->open({}, channels_); !opened) {
      ASSERT_NE(opened.error().kind, base::ErrorKind::kUsage);
      GTEST_SKIP() << opened.error().message();
    }
  }
  void tick() {
    for (auto& validity : frame_.validity) validity = Validity::kMissing;
    FrameWriter writer(channels_, frame_, "perf_core");
    collector_->collect(writer);
  }
  Validity validity(std::string_view metric) const { return frame_.validity[id(metric).index()]; }
  std::uint64_t value(std::string_view metric) const { return frame_.bits[id(metric).index()]; }
  ChannelId id(std::string_view metric) const {
    return *channels_.find_channel(std::string(metric) + "{cpu=0}");
  }
  // Ticks until the counter has advanced, or patience ends.
  bool tick_until_fresh(std::string_view metric) {
    for (int ticks = 0; ticks < 200; ++ticks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      tick();
      if (validity(metric) == Validity::kFresh) return true;
    }
    return false;
  }

  std::unique_ptr<Collector> collector_ =
      make_perf_core_over({{&kBase}, {&kFirst, &kSecond, &kUnknown}});
  model::ChannelTable channels_;
  model::Frame frame_;
};

TEST_F(Turns, GroupsAreSaidOnceAndStartFresh) {
  tick();
  ASSERT_EQ(frame_.notes.size(), 4u);
  EXPECT_EQ(frame_.notes[0].subject, "perf group base");
  EXPECT_EQ(frame_.notes[1].text, "first");
  EXPECT_EQ(frame_.notes[2].text, "second");
  for (const auto* metric : {"cpu_base_total", "cpu_first_total", "cpu_second_total"}) {
    EXPECT_EQ(validity(metric), Validity::kFresh) << metric;
  }
  EXPECT_EQ(value("cpu_first_total"), 0u);
  frame_.notes.clear();
  tick();
  EXPECT_TRUE(frame_.notes.empty());
  EXPECT_EQ(validity("cpu_base_total"), Validity::kFresh);
  EXPECT_EQ(validity("cpu_first_total"), Validity::kStale);
  const auto unknown = collector_->why_absent(metric_of(kUnknown));
  EXPECT_EQ(unknown.kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(unknown.message(), ::testing::HasSubstr("unknown"));
}

// The clock counts a nanosecond a nanosecond, so that a total that is extrapolated rightly is the
// time since the start, although each group counted in one turn of two.
TEST_F(Turns, TotalsAreThoseOfTheWholeTime) {
  tick();
  const std::uint64_t base = value("cpu_base_total");
  ASSERT_TRUE(tick_until_fresh("cpu_first_total"));
  EXPECT_EQ(validity("cpu_second_total"), Validity::kStale);
  EXPECT_EQ(value("cpu_second_total"), 0u);
  const auto passed = static_cast<double>(value("cpu_base_total") - base);
  EXPECT_NEAR(static_cast<double>(value("cpu_first_total")) / passed, 1.0, 0.2);
  ASSERT_TRUE(tick_until_fresh("cpu_second_total"));
  EXPECT_EQ(validity("cpu_first_total"), Validity::kStale);
  const auto later = static_cast<double>(value("cpu_base_total") - base);
  EXPECT_NEAR(static_cast<double>(value("cpu_second_total")) / later, 1.0, 0.2);
  EXPECT_EQ(value("cpu_turn_cycles_total"), value("cpu_base_total"));
  const auto share = channels_.find_channel("cpu_perf_counting_ratio{group=2}");
  ASSERT_TRUE(share);
  const double counted = std::bit_cast<double>(frame_.bits[share->index()]);
  EXPECT_GT(counted, 0.0);
  EXPECT_LT(counted, 1.0);
}

}  // namespace
}  // namespace reveal::collect
