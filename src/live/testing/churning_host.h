// A made-up host on which control groups come and go, for tests and benchmarks of what they cost: a
// hundred channels stay, and groups with a sleeping process are there for three seconds each.
// Channels are numbered as a reader of the recording gives them: none gets the number of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "model/frame.h"

namespace reveal::live {

class ChurningHost {
 public:
  static constexpr int kTicksPerSecond = 10;
  static constexpr int kLife_s = 3;

  explicit ChurningHost(std::size_t groups_at_once) : groups_at_once_(groups_at_once) {
    facts.host = "churning";
    facts.kernel = "6.1.0";
    facts.interval_ns = kInterval_ns;
    for (std::size_t i = 0; i < kLasting; ++i) {
      const std::string name = "memory_" + std::to_string(i) + "_bytes";
      add({name, model::Kind::kGauge, model::Subsystem::kMemory}, {});
    }
  }

  const model::Frame& tick() {
    if (next_ % (kTicksPerSecond * kLife_s) == 0) change_groups();
    frame_.sequence = next_;
    frame_.wall_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(next_) * kInterval_ns;
    frame_.mono_ns = static_cast<std::int64_t>(++next_) * kInterval_ns;
    for (std::size_t i = 0; i < kLasting; ++i) set(i, kLevel + rng_.below(2000));
    // What sleeps has memory that moves a little, and counters that stand still.
    for (std::size_t i = first_of_groups_; i < channels.channel_count(); ++i) {
      const bool moves = channels.metric(model::ChannelId(i)).kind == model::Kind::kGauge;
      set(i, kLevel + (moves ? 4096 * rng_.below(3) : 0));
    }
    return frame_;
  }

  // Returns how many channels are of groups that are gone.
  std::size_t gone_channels() const { return first_of_groups_ - kLasting; }

  model::RunFacts facts;
  model::ChannelTable channels;

 private:
  static constexpr std::int64_t kInterval_ns = 1'000'000'000 / kTicksPerSecond;
  static constexpr std::size_t kLasting = 100;
  static constexpr std::uint64_t kLevel = 1'000'000'000;

  struct Metric {
    std::string_view name;
    model::Kind kind;
    model::Subsystem subsystem;
  };
  // Some of those that the collector of control groups has.
  static constexpr Metric kOfGroup[] = {
      {"cpu_cgroup_usage_seconds_total", model::Kind::kCounter, model::Subsystem::kCpu},
      {"cpu_cgroup_throttled_seconds_total", model::Kind::kCounter, model::Subsystem::kCpu},
      {"cpu_cgroup_pressure_some_seconds_total", model::Kind::kCounter, model::Subsystem::kCpu},
      {"memory_cgroup_used_bytes", model::Kind::kGauge, model::Subsystem::kMemory},
      {"memory_cgroup_anonymous_bytes", model::Kind::kGauge, model::Subsystem::kMemory},
      {"memory_cgroup_page_faults_total", model::Kind::kCounter, model::Subsystem::kMemory},
      {"memory_cgroup_limit_hits_total", model::Kind::kEvent, model::Subsystem::kMemory},
      {"memory_cgroup_pressure_some_seconds_total", model::Kind::kCounter,
       model::Subsystem::kMemory},
      {"storage_cgroup_read_bytes_total", model::Kind::kCounter, model::Subsystem::kStorage},
      {"storage_cgroup_reads_total", model::Kind::kCounter, model::Subsystem::kStorage},
      {"storage_cgroup_written_bytes_total", model::Kind::kCounter, model::Subsystem::kStorage},
      {"storage_cgroup_writes_total", model::Kind::kCounter, model::Subsystem::kStorage},
      {"storage_cgroup_pressure_some_seconds_total", model::Kind::kCounter,
       model::Subsystem::kStorage},
      {"cpu_cgroup_processes", model::Kind::kGauge, model::Subsystem::kCpu},
      {"memory_cgroup_file_bytes", model::Kind::kGauge, model::Subsystem::kMemory},
  };

  void add(const Metric& of, std::string_view instance) {
    model::MetricDescriptor metric;
    metric.name = metric.label = of.name;
    metric.kind = of.kind;
    metric.subsystem = of.subsystem;
    if (!instance.empty()) metric.scope = model::Scope::kCgroup;
    channels.add_channel(channels.add_metric(metric), instance);
    frame_.resize(channels.channel_count());
  }

  void change_groups() {
    for (std::size_t i = first_of_groups_; i < channels.channel_count(); ++i) {
      frame_.validity[i] = model::Validity::kMissing;
    }
    first_of_groups_ = channels.channel_count();
    for (std::size_t i = 0; i < groups_at_once_; ++i) {
      const std::string instance = "cg=/churn" + std::to_string(groups_++);
      for (const auto& metric : kOfGroup) add(metric, instance);
    }
  }

  void set(std::size_t channel, std::uint64_t value) {
    frame_.set_u64(model::ChannelId(channel), value);
  }

  std::size_t groups_at_once_;
  base::Rng rng_{17};
  model::Frame frame_;
  std::uint64_t next_ = 0;
  std::size_t groups_ = 0;           // so far
  std::size_t first_of_groups_ = 0;  // channel: those of groups that are there
};

}  // namespace reveal::live
