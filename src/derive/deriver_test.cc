#include "derive/deriver.h"

#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::derive {
namespace {

using model::Kind;
constexpr std::int64_t kTick = 100'000'000;

// A host whose raw channels and frames are written by hand.
class Host {
 public:
  model::ChannelId add(std::string_view metric, Kind kind, std::string_view instance = {},
                       std::string_view unit = "units", model::Scope scope = model::Scope::kHost) {
    model::MetricDescriptor descriptor;
    descriptor.scope = scope;
    descriptor.name = metric;
    descriptor.kind = kind;
    descriptor.unit = unit;
    return raw_.add_channel(raw_.add_metric(descriptor), instance);
  }
  void tick(std::initializer_list<std::pair<model::ChannelId, std::uint64_t>> samples) {
    ++frame_.sequence;
    frame_.mono_ns += kTick;
    frame_.validity.assign(frame_.validity.size(), model::Validity::kMissing);
    frame_.resize(raw_.channel_count());
    for (const auto& [id, value] : samples) frame_.set_u64(id, value);
    values_ = deriver_.step(raw_, frame_);
  }
  double value(std::string_view name) const {
    const auto id = deriver_.channels().find_channel(name);
    if (id) return values_[id->index()];
    ADD_FAILURE() << "no channel " << name;
    return 0;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < deriver_.channels().channel_count(); ++i) {
      out.push_back(deriver_.channels().name(model::ChannelId(i)));
    }
    return out;
  }
  model::ChannelTable& raw() { return raw_; }
  model::Frame& frame() { return frame_; }
  Deriver& deriver() { return deriver_; }

 private:
  model::ChannelTable raw_;
  model::Frame frame_;
  Deriver deriver_;
  std::span<const double> values_;
};

TEST(Deriver, ComputesPerInstance) {
  Host host;
  const auto time_a = host.add("storage_read_seconds_total", Kind::kCounter, "dev=sda");
  const auto time_b = host.add("storage_read_seconds_total", Kind::kCounter, "dev=sdb");
  const auto reads_b = host.add("storage_reads_total", Kind::kCounter, "dev=sdb");
  host.tick({{time_a, 0}, {time_b, 0}, {reads_b, 0}});
  EXPECT_TRUE(std::isnan(host.value("storage_read_latency_seconds{dev=sdb}")));
  host.tick({{time_a, 7}, {time_b, 6}, {reads_b, 3}});
  EXPECT_DOUBLE_EQ(host.value("storage_read_seconds_total{dev=sda}"), 70.0);
  EXPECT_DOUBLE_EQ(host.value("storage_read_latency_seconds{dev=sdb}"), 2.0);
  EXPECT_EQ(host.names(), (std::vector<std::string>{
                              "storage_read_seconds_total{dev=sda}",
                              "storage_read_seconds_total{dev=sdb}",
                              "storage_reads_total{dev=sdb}",
                              "storage_read_latency_seconds{dev=sdb}",
                          }));
  // An input that is missing leaves the rest alone.
  host.tick({{time_a, 9}, {time_b, 8}});
  EXPECT_DOUBLE_EQ(host.value("storage_read_seconds_total{dev=sda}"), 20.0);
  EXPECT_TRUE(std::isnan(host.value("storage_read_latency_seconds{dev=sdb}")));
}

TEST(Deriver, TellsWhichChannelsAreRatiosOfRates) {
  Host host;
  const auto time = host.add("storage_read_seconds_total", Kind::kCounter, "dev=sda");
  const auto reads = host.add("storage_reads_total", Kind::kCounter, "dev=sda");
  // Beside a level, and of one rate alone: no ratios of sums.
  const auto in = host.add("network_received_bytes_total", Kind::kCounter, "dev=eth0");
  const auto out = host.add("network_sent_bytes_total", Kind::kCounter, "dev=eth0");
  const auto speed = host.add("network_speed_bits_per_second", Kind::kGauge, "dev=eth0");
  const auto busy = host.add("storage_busy_seconds_total", Kind::kCounter, "dev=sda");
  host.tick({{time, 0}, {reads, 0}, {in, 0}, {out, 0}, {speed, 1}, {busy, 0}});
  const auto& channels = host.deriver().channels();
  ASSERT_TRUE(channels.find_channel("network_use_ratio{dev=eth0}"));
  ASSERT_TRUE(channels.find_channel("storage_busy_ratio{dev=sda}"));
  ASSERT_EQ(host.deriver().ratios().size(), 1u);
  const auto& ratio = host.deriver().ratios().front();
  EXPECT_EQ(channels.name(ratio.output), "storage_read_latency_seconds{dev=sda}");
  ASSERT_EQ(ratio.inputs.size(), 2u);
  EXPECT_EQ(channels.name(ratio.inputs[0]), "storage_read_seconds_total{dev=sda}");
  EXPECT_EQ(channels.name(ratio.inputs[1]), "storage_reads_total{dev=sda}");
  EXPECT_DOUBLE_EQ(ratio.compute(std::vector{6.0, 3.0}), 2.0);
}

// A hypervisor may set the stolen time back at each reading: what is known tells the rest.
TEST(Deriver, SharesOfACoreAreOfTheStatesThatAreKnown) {
  Host host;
  std::vector<model::ChannelId> states;
  for (const char* name : {"user", "nice", "system", "irq", "softirq", "steal", "idle", "iowait"}) {
    states.push_back(
        host.add("cpu_" + std::string(name) + "_seconds_total", Kind::kCounter, {}, "seconds"));
  }
  const auto tick = [&](std::uint64_t user, std::uint64_t steal, std::uint64_t idle) {
    host.tick({{states[0], user},
               {states[1], 5},
               {states[2], 5},
               {states[3], 5},
               {states[4], 5},
               {states[5], steal},
               {states[6], idle},
               {states[7], 5}});
  };
  tick(0, 900, 0);
  EXPECT_TRUE(std::isnan(host.value("cpu_busy_ratio")));
  tick(1, 800, 3);
  EXPECT_DOUBLE_EQ(host.value("cpu_busy_ratio"), 0.25);
  EXPECT_TRUE(std::isnan(host.value("cpu_steal_ratio")));
  EXPECT_DOUBLE_EQ(host.value("cpu_iowait_ratio"), 0.0);
}

TEST(Deriver, EventsEnterRatiosAsRates) {
  Host host;
  const auto lost = host.add("network_tcp_retransmits_total", Kind::kEvent);
  const auto sent = host.add("network_tcp_sent_segments_total", Kind::kCounter);
  host.tick({{lost, 0}, {sent, 0}});
  host.tick({{lost, 3}, {sent, 60}});
  EXPECT_DOUBLE_EQ(host.value("network_tcp_retransmits_total"), 3.0);
  EXPECT_DOUBLE_EQ(host.value("network_tcp_sent_segments_total"), 600.0);
  EXPECT_DOUBLE_EQ(host.value("network_tcp_retransmit_ratio"), 0.05);
}

std::vector<model::ChannelId> add_core(Host& host, std::string_view instance) {
  std::vector<model::ChannelId> ids;
  for (const char* state :
       {"user", "nice", "system", "irq", "softirq", "steal", "idle", "iowait"}) {
    ids.push_back(host.add("cpu_" + std::string(state) + "_seconds_total", Kind::kCounter, instance,
                           "seconds"));
  }
  return ids;
}

TEST(Deriver, ComparesInstancesAndTakesInNewOnes) {
  Host host;
  const auto total = add_core(host, "");
  const auto first = add_core(host, "cpu=0");
  const auto second = add_core(host, "cpu=1");
  const auto sample = [](const auto& ids, std::uint64_t user, std::uint64_t idle) {
    return std::vector<std::pair<model::ChannelId, std::uint64_t>>{
        {ids[0], user}, {ids[1], 0}, {ids[2], 0},    {ids[3], 0},
        {ids[4], 0},    {ids[5], 0}, {ids[6], idle}, {ids[7], 0}};
  };
  const auto tick =
      [&host](
          std::initializer_list<std::vector<std::pair<model::ChannelId, std::uint64_t>>> cores) {
        ++host.frame().sequence;
        host.frame().mono_ns += kTick;
        host.frame().resize(host.raw().channel_count());
        for (const auto& core : cores) {
          for (const auto& [id, value] : core) host.frame().set_u64(id, value);
        }
        return host.deriver().step(host.raw(), host.frame());
      };
  const auto value = [&host](std::span<const double> row, std::string_view name) {
    return row[host.deriver().channels().find_channel(name)->index()];
  };
  tick({sample(total, 0, 0), sample(first, 0, 0), sample(second, 0, 0)});
  auto row = tick({sample(total, 10, 10), sample(first, 10, 0), sample(second, 0, 10)});
  EXPECT_DOUBLE_EQ(value(row, "cpu_busy_ratio"), 0.5);
  EXPECT_DOUBLE_EQ(value(row, "cpu_busy_ratio{cpu=0}"), 1.0);
  EXPECT_DOUBLE_EQ(value(row, "cpu_imbalance_ratio"), 1.0);  // std 0.5, mean 0.5; total left out

  // A third core comes online, idle, and counts from its second frame on.
  const auto third = add_core(host, "cpu=2");
  row = tick(
      {sample(total, 20, 20), sample(first, 20, 0), sample(second, 0, 20), sample(third, 0, 0)});
  EXPECT_DOUBLE_EQ(value(row, "cpu_imbalance_ratio"), 1.0);
  row = tick(
      {sample(total, 30, 40), sample(first, 30, 0), sample(second, 0, 30), sample(third, 0, 10)});
  EXPECT_DOUBLE_EQ(value(row, "cpu_busy_ratio{cpu=2}"), 0.0);
  EXPECT_NEAR(value(row, "cpu_imbalance_ratio"), std::sqrt(2.0), 1e-12);
}

TEST(Deriver, OnlyTheFramesChannelsCount) {
  Host host;
  const auto dirty = host.add("memory_dirty_bytes", Kind::kGauge);
  host.frame().resize(1);
  host.frame().set_u64(dirty, 5);
  host.add("memory_installed_bytes", Kind::kGauge);  // known to the table, not yet in a frame
  EXPECT_EQ(host.deriver().step(host.raw(), host.frame()).size(), 1u);
  EXPECT_EQ(host.names(), std::vector<std::string>{"memory_dirty_bytes"});
  host.tick({{dirty, 5}, {model::ChannelId(1), 20}});
  EXPECT_DOUBLE_EQ(host.value("memory_dirty_ratio"), 0.25);
}

TEST(Deriver, ARawChannelKeepsItsNameFromADerivedOne) {
  Host host;
  const auto ratio = host.add("memory_dirty_ratio", Kind::kGauge);  // an import brings its own
  const auto dirty = host.add("memory_dirty_bytes", Kind::kGauge);
  const auto total = host.add("memory_installed_bytes", Kind::kGauge);
  host.tick({{ratio, 9}, {dirty, 1}, {total, 4}});
  EXPECT_DOUBLE_EQ(host.value("memory_dirty_ratio"), 9.0);
  EXPECT_EQ(host.names().size(), 3u);
}

TEST(Deriver, AShorterFrameIsMissingItsEnd) {
  Host host;
  const auto dirty = host.add("memory_dirty_bytes", Kind::kGauge);
  const auto total = host.add("memory_installed_bytes", Kind::kGauge);
  host.tick({{dirty, 1}, {total, 4}});
  model::Frame shorter;
  shorter.resize(1);
  shorter.mono_ns = 2 * kTick;
  shorter.set_u64(dirty, 2);
  const auto row = host.deriver().step(host.raw(), shorter);
  ASSERT_EQ(row.size(), 3u);
  EXPECT_DOUBLE_EQ(row[0], 2.0);
  EXPECT_TRUE(std::isnan(row[1]));
  EXPECT_TRUE(std::isnan(row[2]));
}

// The same frames give the same rows, whether the raw table was complete from the start (a replay
// that reads ahead) or grew with the frames (live).
TEST(Deriver, ReplayEqualsLive) {
  const std::vector<std::pair<const char*, const char*>> channels{
      {"storage_reads_total", "dev=a"}, {"storage_read_seconds_total", "dev=a"},
      {"memory_installed_bytes", ""},   {"storage_read_seconds_total", "dev=b"},
      {"memory_dirty_bytes", ""},       {"storage_reads_total", "dev=b"}};
  const auto add = [&channels](Host& host, std::size_t i) {
    host.add(channels[i].first, i % 3 == 2 ? Kind::kGauge : Kind::kCounter, channels[i].second);
  };
  Host live;
  Host replay;
  for (std::size_t i = 0; i < channels.size(); ++i) add(replay, i);
  base::Rng rng(7);
  for (std::size_t tick = 0; tick < 60; ++tick) {
    if (tick % 10 == 0) add(live, tick / 10);
    model::Frame frame;
    frame.mono_ns = static_cast<std::int64_t>(tick + 1) * kTick;
    frame.resize(live.raw().channel_count());
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      if (rng.below(5) > 0) frame.set_u64(model::ChannelId(i), tick * 50 + rng.below(50));
    }
    const auto a = live.deriver().step(live.raw(), frame);
    const auto b = replay.deriver().step(replay.raw(), frame);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i]));
    }
  }
  EXPECT_EQ(live.names(), replay.names());
  EXPECT_EQ(live.names().size(), channels.size() + 3);
}

// Two ticks are missing: each had, like the one that came, a third of what the counters grew by.
TEST(Deriver, CountersTellWhatWasInAGap) {
  Host host;
  const auto reads = host.add("storage_reads_total", Kind::kCounter, "dev=a");
  const auto time = host.add("storage_read_seconds_total", Kind::kCounter, "dev=a");
  const auto events = host.add("cpu_events_total", Kind::kEvent);
  const auto level = host.add("memory_dirty_bytes", Kind::kGauge);
  host.tick({{reads, 100}, {time, 10}, {events, 1}, {level, 7}});
  host.frame().mono_ns += 2 * kTick;
  host.tick({{reads, 400}, {time, 13}, {events, 4}, {level, 8}});
  const auto means = host.deriver().means_before(2);
  ASSERT_EQ(means.size(), host.deriver().channels().channel_count());
  const auto mean = [&](std::string_view name) {
    return means[host.deriver().channels().find_channel(name)->index()];
  };
  EXPECT_DOUBLE_EQ(mean("storage_reads_total{dev=a}"), 1000.0);
  EXPECT_DOUBLE_EQ(mean("storage_read_seconds_total{dev=a}"), 10.0);
  EXPECT_DOUBLE_EQ(mean("storage_read_latency_seconds{dev=a}"), 0.01);
  EXPECT_DOUBLE_EQ(mean("cpu_events_total"), 1.0);
  EXPECT_TRUE(std::isnan(mean("memory_dirty_bytes")));
}

// A sum of time over cores is told as the mean of a core: no share exceeds 100 %.
TEST(Deriver, TimeOfAllCoresIsTheMeanOfACore) {
  Host host;
  const auto add = [&](std::string_view instance) {
    return host.add("cpu_idle_seconds_total", Kind::kCounter, instance, "seconds",
                    model::Scope::kCore);
  };
  const auto all = add("");
  const auto first = add("cpu=0");
  const auto second = add("cpu=1");
  host.tick({{all, 0}, {first, 0}, {second, 0}});
  host.tick({{all, 12}, {first, 8}, {second, 4}});
  EXPECT_DOUBLE_EQ(host.value("cpu_idle_seconds_total{cpu=0}"), 80.0);
  EXPECT_DOUBLE_EQ(host.value("cpu_idle_seconds_total"), 60.0);
}

}  // namespace
}  // namespace reveal::derive
