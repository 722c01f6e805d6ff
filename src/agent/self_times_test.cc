#include "agent/self_times.h"

#include <numeric>

#include <gtest/gtest.h>

namespace reveal::agent {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_ns = 1000 * kSecond_ns;

struct SelfTimesTest : testing::Test {
  SelfTimesTest() {
    lateness = add("cpu_recorder_lateness_seconds");
    tick = add("cpu_recorder_tick_seconds");
    other = add("memory_free_bytes");
    steady = add("memory_total_bytes");
    frame.resize(channels.channel_count());
  }
  model::ChannelId add(std::string_view name, std::string_view instance = {}) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = "A label";
    return channels.add_channel(channels.add_metric(metric), instance);
  }
  void take(std::int64_t wall_ns, std::uint64_t late_ns, std::uint64_t cost_ns) {
    frame.wall_ns = wall_ns;
    frame.set_u64(lateness, late_ns);
    frame.set_u64(tick, cost_ns);
    frame.set_u64(other, static_cast<std::uint64_t>(wall_ns));
    frame.set_u64(steady, 7);
    times.take(channels, frame);
  }
  static std::uint64_t count(const http::Histogram& of) {
    return std::accumulate(of.counts().begin(), of.counts().end(), std::uint64_t{0});
  }

  model::ChannelTable channels;
  model::ChannelId lateness{0}, tick{0}, other{0}, steady{0};
  model::Frame frame;
  SelfTimes times{kBegin_ns};
};

TEST_F(SelfTimesTest, TimesWhatWasRecordedSinceItBegan) {
  EXPECT_FALSE(times.lateness_s());
  take(kBegin_ns - kSecond_ns, 900'000'000, 900'000'000);
  EXPECT_FALSE(times.lateness_s()) << "the past is the former judge's";
  take(kBegin_ns, 300'000, 4'000'000);
  take(kBegin_ns + kSecond_ns, 30'000'000, 4'000'000);
  ASSERT_TRUE(times.lateness_s() && times.tick_s());
  EXPECT_EQ(count(*times.lateness_s()), 2u);
  EXPECT_NEAR(times.lateness_s()->sum(), 0.0303, 1e-9);
  EXPECT_EQ(times.lateness_s()->counts().front(), 1u) << "300 us are within 500";
  EXPECT_NEAR(times.tick_s()->sum(), 0.008, 1e-9);
}

TEST_F(SelfTimesTest, CountsChannelsByState) {
  EXPECT_FALSE(times.channels());
  take(kBegin_ns, 1, 2);
  take(kBegin_ns + 1, 3, 4);
  frame.validity[tick.index()] = model::Validity::kStale;
  frame.validity[lateness.index()] = model::Validity::kMissing;
  times.take(channels, frame);
  const auto counts = times.channels();
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->fresh, 1u);
  EXPECT_EQ(counts->stale, 1u);
  EXPECT_EQ(counts->missing, 1u);
  EXPECT_EQ(counts->constant, 1u);
}

TEST_F(SelfTimesTest, TellsWhatTheRecorderToldOfItselfLast) {
  take(kBegin_ns, 1, 2);
  EXPECT_FALSE(times.written_bytes());
  EXPECT_FALSE(times.dropped_frames());
  const auto written = add("cpu_recorder_written_bytes_total");
  const auto dropped = add("cpu_recorder_dropped_frames_total");
  const auto stat = add("cpu_recorder_collector_seconds_total", "collector=stat");
  add("cpu_recorder_collector_seconds_total", "collector=smart");  // not read yet
  frame.resize(channels.channel_count());
  frame.set_u64(written, 5000);
  frame.set_u64(dropped, 3);
  frame.set_u64(stat, 1'500'000'000);
  take(kBegin_ns - kSecond_ns, 1, 2);  // also of the past: nobody told it since
  frame.set_u64(written, 6000);
  frame.validity[stat.index()] = model::Validity::kMissing;
  frame.bits[stat.index()] = 0;
  take(kBegin_ns + kSecond_ns, 1, 2);
  EXPECT_EQ(times.written_bytes(), 6000U);
  EXPECT_EQ(times.dropped_frames(), 3U);
  ASSERT_EQ(times.read_s().size(), 1U);
  EXPECT_EQ(times.read_s()[0].name, "stat");
  EXPECT_DOUBLE_EQ(times.read_s()[0].value, 1.5);
}

TEST_F(SelfTimesTest, ATimeForEachVerdict) {
  live::History history;
  const auto judge = [&](std::int64_t end_ns, bool judged) {
    live::JudgedWindow window;
    window.span.end_ns = end_ns;
    window.judged = judged;
    history.windows.push_back(window);
  };
  judge(kBegin_ns - kSecond_ns, true);
  judge(kBegin_ns + kSecond_ns, false);
  times.judged(history, kBegin_ns + kSecond_ns);
  EXPECT_FALSE(times.latency_s()) << "one is of the past, one was not judged";
  judge(kBegin_ns + 2 * kSecond_ns, true);
  judge(kBegin_ns + 3 * kSecond_ns, true);
  times.judged(history, kBegin_ns + 3 * kSecond_ns + 250'000'000);
  times.judged(history, kBegin_ns + 9 * kSecond_ns);
  ASSERT_TRUE(times.latency_s());
  EXPECT_EQ(count(*times.latency_s()), 2u);
  EXPECT_NEAR(times.latency_s()->sum(), 1.5, 1e-9);
}

}  // namespace
}  // namespace reveal::agent
