// A made-up host on which jobs start and stop: each leaves a footprint in place and waits for
// something, and no two runs of a job have the same levels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "model/frame.h"

namespace reveal::live {

// What a job does to the host.
struct Load {
  double footprint = 1;    // times that of the idle host
  double activity = 1;     // likewise
  double cpu_wait = 0.01;  // share of the time in which some task waits
  double io_wait = 0.005;
};

inline constexpr Load kIdle{};
// It waits for less than what raises an alarm, and for more.
inline constexpr Load kJob{.footprint = 2, .activity = 20, .cpu_wait = 0.05, .io_wait = 0.01};
inline constexpr Load kBusyJob{.footprint = 3, .activity = 30, .cpu_wait = 0.2, .io_wait = 0.01};
inline constexpr double kSlowDisk = 0.4;  // the time in which tasks wait for I/O

class JobHost {
 public:
  explicit JobHost(std::uint64_t seed = 1) : rng_(seed) {
    facts.host = "jobs";
    facts.kernel = "6.1.0";
    facts.interval_ns = kInterval_ns;
    facts.cpus_online = 4;
    constexpr double kMiB = 1 << 20;
    using enum model::Subsystem;
    add(kMemory, "memory_page_tables_bytes", Moves::kFootprint, 20 * kMiB);
    add(kMemory, "memory_mapped_bytes", Moves::kFootprint, 400 * kMiB);
    add(kMemory, "memory_committed_bytes", Moves::kFootprint, 4096 * kMiB);
    add(kNetwork, "network_used_sockets", Moves::kFootprint, 300);
    add(kCpu, "cpu_threads_tasks", Moves::kFootprint, 400);
    add(kCpu, "cpu_pressure_some_seconds_total", Moves::kCpuWait, 0);
    add(kStorage, "storage_io_pressure_some_seconds_total", Moves::kIoWait, 0);
    for (int i = 0; i < 6; ++i) {
      const auto number = std::to_string(i);
      add(kCpu, "cpu_" + number, Moves::kActivity, 1000);
      add(kStorage, "storage_" + number, Moves::kActivity, 400);
      add(kNetwork, "network_" + number, Moves::kActivity, 700);
      add(kMemory, "memory_" + number, Moves::kLevel, 500 * kMiB);
    }
    frame_.resize(channels.channel_count());
    new_run();
  }

  // From now on levels are those of another run: each up to a tenth higher or lower.
  void new_run() {
    for (auto& quantity : quantities_) quantity.times = 0.9 + 0.2 * rng_.uniform();
  }

  // Returns the frame of the next tick.
  const model::Frame& tick(const Load& load) {
    frame_.sequence = next_;
    frame_.wall_ns = kBegin_ns + static_cast<std::int64_t>(next_) * kInterval_ns;
    frame_.mono_ns = static_cast<std::int64_t>(next_ + 1) * kInterval_ns;
    for (std::size_t i = 0; i < quantities_.size(); ++i) step(i, load);
    ++next_;
    return frame_;
  }

  static constexpr std::int64_t kInterval_ns = 100'000'000;
  static constexpr std::int64_t kBegin_ns = 1'700'000'000'000'000'000;
  // Returns the wall time so many seconds after the first tick.
  static std::int64_t wall_ns(std::int64_t second) { return kBegin_ns + second * 1'000'000'000; }

  model::RunFacts facts;
  model::ChannelTable channels;

 private:
  enum class Moves { kFootprint, kActivity, kLevel, kCpuWait, kIoWait };

  struct Quantity {
    Moves moves = Moves::kLevel;
    double usual = 0;  // of the idle host; of activity a tick
    double times = 1;  // in this run
    double total = 0;  // of what is counted
  };

  void add(model::Subsystem subsystem, std::string_view name, Moves moves, double usual) {
    const bool is_gauge = moves == Moves::kFootprint || moves == Moves::kLevel;
    const bool is_wait = moves == Moves::kCpuWait || moves == Moves::kIoWait;
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = name;
    metric.unit = is_wait ? "seconds" : is_gauge ? "bytes" : "things";
    metric.kind = is_gauge ? model::Kind::kGauge : model::Kind::kCounter;
    metric.scale = is_wait ? 1e-6 : 1;
    metric.subsystem = subsystem;
    channels.add_channel(channels.add_metric(metric));
    quantities_.push_back({.moves = moves, .usual = usual});
  }

  void step(std::size_t i, const Load& load) {
    auto& one = quantities_[i];
    const double noise = 0.97 + 0.06 * rng_.uniform();
    constexpr double kTick_us = 1e-3 * kInterval_ns;
    double value = 0;
    switch (one.moves) {
      case Moves::kFootprint:
        value = one.usual * load.footprint;
        break;
      case Moves::kLevel:
        value = one.usual;
        break;
      case Moves::kActivity:
        value = one.usual * load.activity;
        break;
      case Moves::kCpuWait:
        value = kTick_us * load.cpu_wait;
        break;
      case Moves::kIoWait:
        value = kTick_us * load.io_wait;
        break;
    }
    value *= one.times * noise;
    one.total += value;
    const bool is_gauge = one.moves == Moves::kFootprint || one.moves == Moves::kLevel;
    frame_.set_u64(model::ChannelId(i), static_cast<std::uint64_t>(is_gauge ? value : one.total));
  }

  base::Rng rng_;
  std::vector<Quantity> quantities_;
  model::Frame frame_;
  std::uint64_t next_ = 0;
};

inline void feed(model::FrameSink& sink, JobHost& host, int seconds, const Load& load) {
  for (int i = 0; i < seconds * 10; ++i) {
    const auto done = sink.write(host.channels, host.tick(load));
    ASSERT_TRUE(done) << done.error().message();
  }
}

}  // namespace reveal::live
