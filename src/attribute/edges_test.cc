#include "attribute/edges.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "feature/feature.h"

namespace reveal::attribute {
namespace {

constexpr std::int64_t kTick_ns = 100'000'000;
constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kStart_ns = 1'700'000'000 * kSecond_ns;

std::int64_t at(double seconds) {
  return kStart_ns + std::llround(seconds * 1e9);
}

// Returns the share of the time from `from` to `to` that lies in [begin, end).
double share(double from, double to, double begin, double end) {
  return std::max(0.0, std::min(to, end) - std::max(from, begin)) / (to - from);
}

// A run of a minute with one disturbance; each tick's value is the mean over the tick.
class EdgesTest : public testing::Test {
 protected:
  using Level = std::function<double(double from, double to)>;

  model::ChannelId add(std::string_view metric, model::Subsystem subsystem, Level level) {
    model::MetricDescriptor row;
    row.name = metric;
    row.kind = model::Kind::kCounter;
    row.subsystem = subsystem;
    levels_.push_back(std::move(level));
    return channels.add_channel(channels.add_metric(row));
  }

  void run(double noise, int every = 1) {
    for (int tick = 1; tick <= 600; ++tick) {
      std::vector<double> row;
      for (const auto& level : levels_) {
        const double to = tick * 0.1;
        const double from = to - 0.1 * every;
        row.push_back(tick % every == 0 ? level(from, to) + noise * (2 * rng.uniform() - 1)
                                        : std::nan(""));
      }
      ticks.add(channels, static_cast<std::uint64_t>(tick), at(tick * 0.1), kTick_ns, row);
    }
  }

  // A finding as windows of 3 s every 1 s make it of a disturbance: each that holds a second of it.
  Finding finding_of(double begin, double end, std::vector<model::ChannelId> evidence) {
    Finding out;
    for (int k = 0; k < 57; ++k) {
      if (share(k, k + 3, begin, end) * 3 < std::min(1.0, end - begin)) continue;
      out.windows.push_back({{window::WindowId(static_cast<std::size_t>(k)), at(k), at(k + 3),
                              static_cast<std::uint64_t>(10 * k), 0},
                             {}});
    }
    out.subsystems[static_cast<std::size_t>(channels.metric(evidence.front()).subsystem)] = 1;
    for (const auto channel : evidence) {
      out.evidence.push_back({{channel, *feature::find_feature("mean")}, 1, 0, 0.01, 0.1});
    }
    out.telling = out.evidence.front();
    return out;
  }

  static double off(std::int64_t found_ns, double true_s) {
    return static_cast<double>(found_ns - at(true_s)) / 1e9;
  }

  model::ChannelTable channels;
  window::TickHistory ticks{tells_edges};
  base::Rng rng{7};

 private:
  std::vector<Level> levels_;
};

constexpr auto kCpu = model::Subsystem::kCpu;
constexpr auto kNetwork = model::Subsystem::kNetwork;
constexpr auto kStorage = model::Subsystem::kStorage;
constexpr std::string_view kPressure = "cpu_pressure_some_seconds_total";
constexpr std::string_view kIoPressure = "storage_io_pressure_some_seconds_total";

TEST(Edges, AStepIsFoundToATenthOfASecondWhereverItLies) {
  class Run : public EdgesTest {
   public:
    void TestBody() override {}
    void check(double begin, double length) {
      const double end = begin + length;
      const auto channel =
          add(kPressure, kCpu, [=](double from, double to) { return share(from, to, begin, end); });
      run(0.1);
      auto finding = finding_of(begin, end, {channel});
      refine_edges(channels, ticks, finding);
      ASSERT_TRUE(finding.begin_edge) << begin << " " << length;
      ASSERT_TRUE(finding.end_edge) << begin << " " << length;
      EXPECT_NEAR(off(finding.begin_ns(), begin), 0, 0.11) << begin << " " << length;
      EXPECT_NEAR(off(finding.end_ns(), end), 0, 0.11) << begin << " " << length;
    }
  };
  for (int offset = 0; offset < 20; ++offset) {
    for (const double length : {1.0, 2.35, 8.1, 21.7}) Run().check(20 + 0.137 * offset, length);
  }
}

TEST_F(EdgesTest, ARampBeginsAndEndsWhereItIsHalfWayUp) {
  const auto channel = add(kPressure, kCpu, [](double, double to) {
    return std::clamp((to - 20) / 2, 0.0, 1.0) * std::clamp((32 - to) / 2, 0.0, 1.0);
  });
  run(0.05);
  auto finding = finding_of(20, 32, {channel});
  refine_edges(channels, ticks, finding);
  EXPECT_NEAR(off(finding.begin_ns(), 21), 0, 0.5);
  EXPECT_NEAR(off(finding.end_ns(), 31), 0, 0.5);
}

TEST_F(EdgesTest, ABurstThatComesAndGoesIsOne) {
  const auto channel = add(kIoPressure, kStorage, [](double from, double to) {
    const double at = std::fmod(to - 20.3, 1.0);
    return to > 20.3 && from < 28.3 && at < 0.6 ? 0.9 : 0.0;
  });
  run(0.05);
  auto finding = finding_of(20.3, 28.3, {channel});
  refine_edges(channels, ticks, finding);
  EXPECT_NEAR(off(finding.begin_ns(), 20.3), 0, 0.3);
  EXPECT_NEAR(off(finding.end_ns(), 27.9), 0, 0.4);  // the last of it
}

TEST_F(EdgesTest, AnEvidenceThatFallsTellsAsWell) {
  const auto channel = add("cpu_busy_ratio", kCpu, [](double from, double to) {
    return 0.9 - 0.8 * share(from, to, 15.25, 22.75);
  });
  run(0.05);
  auto finding = finding_of(15.25, 22.75, {channel});
  finding.evidence.front().observed = 0.1;
  finding.evidence.front().baseline_median = 0.9;
  finding.telling = finding.evidence.front();
  refine_edges(channels, ticks, finding);
  EXPECT_NEAR(off(finding.begin_ns(), 15.25), 0, 0.11);
  EXPECT_NEAR(off(finding.end_ns(), 22.75), 0, 0.11);
}

// Nothing arrives any more. The stretch before would be told if its median were taken for a rise.
TEST_F(EdgesTest, AMedianThatFallsTellsAsTheMeanDoes) {
  const auto channel = add("network_received_bytes_total", kNetwork, [](double from, double to) {
    return 8e7 * (1 - share(from, to, 15.25, 22.75));
  });
  run(1e6);
  auto finding = finding_of(15.25, 22.75, {channel});
  finding.evidence.front() = {{channel, *feature::find_feature("median")}, 0, 8e7, 1e6, 0.1};
  finding.telling = finding.evidence.front();
  refine_edges(channels, ticks, finding);
  EXPECT_NEAR(off(finding.begin_ns(), 15.25), 0, 0.11);
  EXPECT_NEAR(off(finding.end_ns(), 22.75), 0, 0.11);
}

TEST_F(EdgesTest, TheMedianOfThoseThatAgreeIsTaken) {
  std::vector<model::ChannelId> evidence;
  const auto step = [](double begin, double end) {
    return [=](double from, double to) { return share(from, to, begin, end); };
  };
  evidence.push_back(add(kPressure, kCpu, step(20.0, 28.0)));
  evidence.push_back(add("cpu_steal_ratio", kCpu, step(20.1, 28.0)));
  evidence.push_back(add("cpu_running_tasks", kCpu, step(20.2, 28.1)));
  evidence.push_back(add("cpu_context_switches_total", kCpu, step(23.0, 33.0)));
  run(0.05);
  auto finding = finding_of(20, 28, evidence);
  refine_edges(channels, ticks, finding);
  ASSERT_TRUE(finding.begin_edge);
  ASSERT_TRUE(finding.end_edge);
  EXPECT_NEAR(off(finding.begin_ns(), 20.1), 0, 0.11);
  EXPECT_NEAR(off(finding.end_ns(), 28.0), 0, 0.11);
}

TEST_F(EdgesTest, WindowsKeepTheirWordIfChannelsDisagree) {
  std::vector<model::ChannelId> evidence;
  const auto step = [](double begin, double end) {
    return [=](double from, double to) { return share(from, to, begin, end); };
  };
  evidence.push_back(add(kPressure, kCpu, step(20, 24)));
  evidence.push_back(add("cpu_steal_ratio", kCpu, step(22, 27)));
  run(0.05);
  auto finding = finding_of(20, 27, evidence);
  refine_edges(channels, ticks, finding);
  EXPECT_FALSE(finding.begin_edge);
  EXPECT_FALSE(finding.end_edge);
  EXPECT_EQ(finding.begin_ns(), finding.windows_begin_ns());
  EXPECT_EQ(finding.end_ns(), finding.windows_end_ns());
  EXPECT_EQ(finding.length_ns(), finding.windows_length_ns());
}

TEST_F(EdgesTest, NoiseTellsNothing) {
  const auto channel = add(kPressure, kCpu, [](double, double) { return 0.0; });
  run(1);
  auto finding = finding_of(20, 27, {channel});
  finding.begin_edge = Edge{1, 1};  // of before
  refine_edges(channels, ticks, finding);
  EXPECT_FALSE(finding.begin_edge);
  EXPECT_FALSE(finding.end_edge);
}

TEST_F(EdgesTest, WhatStillGoesOnHasNoEnd) {
  const auto channel =
      add(kPressure, kCpu, [](double from, double to) { return share(from, to, 52.4, 100); });
  run(0.1);
  auto finding = finding_of(52.4, 60, {channel});
  refine_edges(channels, ticks, finding);
  EXPECT_NEAR(off(finding.begin_ns(), 52.4), 0, 0.11);
  EXPECT_FALSE(finding.end_edge);
}

TEST_F(EdgesTest, AnEndFarBehindTheWindowsIsFound) {
  const auto channel =
      add(kPressure, kCpu, [](double from, double to) { return share(from, to, 15.5, 40.5); });
  run(0.1);
  auto finding = finding_of(15.5, 30, {channel});  // windows end early
  refine_edges(channels, ticks, finding);
  EXPECT_NEAR(off(finding.begin_ns(), 15.5), 0, 0.11);
  EXPECT_NEAR(off(finding.end_ns(), 40.5), 0, 0.11);
}

// Half of a sample at the higher level is half of its time.
TEST_F(EdgesTest, WithoutNoiseAnEdgeIsFoundWithinASample) {
  const auto channel = add(kPressure, kCpu, [](double from, double to) {
    return 0.2 + share(from, to, 20.3719, 27.1148);
  });
  run(0);
  auto finding = finding_of(20.3719, 27.1148, {channel});
  refine_edges(channels, ticks, finding);
  EXPECT_NEAR(off(finding.begin_ns(), 20.3719), 0, 0.001);
  EXPECT_NEAR(off(finding.end_ns(), 27.1148), 0, 0.001);
}

// As derive gives events of a source that is read once a second: all that was counted comes with
// the tick that reads it.
TEST_F(EdgesTest, WhatIsCountedOnceASecondTellsOfTheWholeSecond) {
  const auto channel =
      add("network_tcp_out_of_order_total", model::Subsystem::kNetwork, [](double, double to) {
        const auto tick = std::llround(to * 10);
        if (tick % 10 != 7) return 0.0;
        return 60.0 + 2500.0 * share(to - 1, to, 20.3, 26.2);
      });
  run(0);
  auto finding = finding_of(20.3, 26.2, {channel});
  refine_edges(channels, ticks, finding);
  ASSERT_TRUE(finding.begin_edge);
  EXPECT_EQ(finding.begin_edge->error_ns, kSecond_ns);
  EXPECT_NEAR(off(finding.begin_ns(), 20.3), 0, 0.05);
  EXPECT_NEAR(off(finding.end_ns(), 26.2), 0, 0.05);
}

TEST_F(EdgesTest, ASlowChannelTellsToItsPeriod) {
  const auto channel =
      add(kPressure, kCpu, [](double from, double to) { return share(from, to, 20.3, 31.6); });
  run(0.02, 10);
  auto finding = finding_of(20.3, 31.6, {channel});
  refine_edges(channels, ticks, finding);
  ASSERT_TRUE(finding.begin_edge);
  EXPECT_EQ(finding.begin_edge->error_ns, kSecond_ns);
  EXPECT_NEAR(off(finding.begin_ns(), 20.3), 0, 0.1);
  EXPECT_NEAR(off(finding.end_ns(), 31.6), 0, 0.1);
}

TEST_F(EdgesTest, AClockThatWasSetMakesTimesWorthless) {
  const auto channel =
      add(kPressure, kCpu, [](double from, double to) { return share(from, to, 20, 28); });
  run(0.1);
  auto finding = finding_of(20, 28, {channel});
  for (std::size_t i = 4; i < finding.windows.size(); ++i) {
    finding.windows[i].span.begin_ns -= 3600 * kSecond_ns;
    finding.windows[i].span.end_ns -= 3600 * kSecond_ns;
  }
  refine_edges(channels, ticks, finding);
  EXPECT_FALSE(finding.begin_edge);
  EXPECT_FALSE(finding.end_edge);
}

// Whatever the samples are: edges lie within what was searched, in order.
TEST(Edges, EdgesAreInOrderWhateverTheSamplesAre) {
  class Run : public EdgesTest {
   public:
    void TestBody() override {}
    bool check(std::uint64_t seed) {
      base::Rng draw(seed);
      std::vector<model::ChannelId> evidence;
      for (const auto name : {kPressure, std::string_view("cpu_steal_ratio"),
                              std::string_view("cpu_running_tasks")}) {
        const double begin = 15 + 20 * draw.uniform();
        const double end = begin + 20 * draw.uniform();
        const double height = 3 * draw.uniform() - 1;
        evidence.push_back(add(name, kCpu, [=](double from, double to) {
          return height * share(from, to, begin, end);
        }));
      }
      run(0.5 * draw.uniform());
      const double begin = 20 + 10 * draw.uniform();
      auto finding = finding_of(begin, begin + 1 + 20 * draw.uniform(), evidence);
      refine_edges(channels, ticks, finding);
      EXPECT_LT(finding.begin_ns(), finding.end_ns());
      EXPECT_GT(finding.begin_ns(), finding.windows_begin_ns() - 7 * kSecond_ns);
      EXPECT_LE(finding.end_ns(), at(60));
      EXPECT_GT(finding.length_ns(), 0);
      return finding.begin_edge || finding.end_edge;
    }
  };
  int refined = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) refined += Run().check(seed) ? 1 : 0;
  EXPECT_GT(refined, 20);
}

TEST_F(EdgesTest, AFindingDoesNotReachIntoTheNextOfItsSubsystem) {
  const auto channel = add(kPressure, kCpu, [](double, double) { return 0.0; });
  const auto other = add(kIoPressure, kStorage, [](double, double) { return 0.0; });
  std::vector<Finding> findings{finding_of(10, 15, {channel}), finding_of(17, 21, {other}),
                                finding_of(25, 30, {channel}), finding_of(40, 45, {channel})};
  findings[0].end_edge = Edge{at(29), kTick_ns};
  findings[1].end_edge = Edge{at(26), kTick_ns};  // of another subsystem: both may go on at once
  findings[2].begin_edge = Edge{at(10), kTick_ns};
  findings[2].end_edge = Edge{at(30.2), kTick_ns};
  findings[3].begin_edge = Edge{at(40.1), kTick_ns};
  part_edges(findings);
  EXPECT_FALSE(findings[0].end_edge);
  EXPECT_TRUE(findings[1].end_edge);
  EXPECT_FALSE(findings[2].begin_edge);
  EXPECT_TRUE(findings[2].end_edge);
  EXPECT_TRUE(findings[3].begin_edge);
}

TEST(Edges, WhatTheKernelSmoothsIsNotAsked) {
  model::MetricDescriptor row;
  row.scope = model::Scope::kHost;
  row.name = "cpu_pressure_some_10s_ratio";
  EXPECT_FALSE(tells_edges(row));
  row.name = kPressure;
  EXPECT_TRUE(tells_edges(row));
  row.scope = model::Scope::kCore;
  EXPECT_FALSE(tells_edges(row));
  row.scope = model::Scope::kCgroup;
  row.name = "cpu_cgroup_usage_seconds_total";
  EXPECT_TRUE(tells_edges(row));
  row.name = "gpu_cgroup_sm_busy_ratio";
  EXPECT_FALSE(tells_edges(row));
}

TEST(Edges, WitnessesAgreeOnlyIfMostOfTheirWeightDoes) {
  const auto witness = [](double begin, double weight) {
    return EdgeWitness{at(begin), {}, weight, kTick_ns};
  };
  EXPECT_FALSE(agreed_edge({}, false));
  const auto one = agreed_edge({witness(3, 0.9)}, false);
  ASSERT_TRUE(one);
  EXPECT_EQ(*one, (Edge{at(3), kTick_ns}));
  EXPECT_FALSE(agreed_edge({witness(3, 0.9)}, true));
  EXPECT_FALSE(agreed_edge({witness(3, 0.5), witness(5, 0.5)}, false));
  EXPECT_EQ(agreed_edge({witness(3, 0.9), witness(5, 0.5)}, false)->at_ns, at(3));
  // Median of 3.0, 3.2, 3.4; their deviations are 0.2, 0, 0.2: 1.4826 times the median, 0.2.
  const auto three = agreed_edge({witness(3.4, 1), witness(3, 1), witness(3.2, 1)}, false);
  EXPECT_EQ(three->at_ns, at(3.2));
  EXPECT_EQ(three->error_ns, 296'520'000);
}

}  // namespace
}  // namespace reveal::attribute
