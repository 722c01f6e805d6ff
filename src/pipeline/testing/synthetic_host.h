// A made-up host for tests: frames whose every value follows from a seed, so that a disturbance can
// be planted at a known tick and the same run can be made twice.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "model/frame.h"

namespace reveal::pipeline {

class SyntheticHost {
 public:
  explicit SyntheticHost(std::uint64_t seed = 1) : rng_(seed) {
    facts.host = "synthetic";
    facts.kernel = "6.1.0";
    facts.interval_ns = kInterval_ns;
    facts.cpus_online = 4;
    add(model::Subsystem::kStorage, model::Kind::kCounter, "storage_", "sectors", 6);
    add(model::Subsystem::kCpu, model::Kind::kCounter, "cpu_", "seconds", 10);
    add(model::Subsystem::kMemory, model::Kind::kGauge, "memory_", "bytes", 10);
    add(model::Subsystem::kNetwork, model::Kind::kEvent, "network_", "packets", 4);
    add(model::Subsystem::kMemory, model::Kind::kStatic, "memory_total_", "bytes", 1);
    frame_.resize(channels.channel_count());
    level_.resize(channels.channel_count(), kLevel);
  }

  // Adds the time that tasks wait for cores and for I/O, a thousandth or two of it; for I/O it is
  // 200 times as much in a burst, if that is asked for. REQUIRES: no tick yet.
  void tell_what_waits(bool in_bursts) {
    add_wait("cpu_pressure_some_seconds_total", model::Subsystem::kCpu);
    add_wait("storage_io_pressure_some_seconds_total",
             in_bursts ? model::Subsystem::kStorage : model::Subsystem::kCpu);
  }

  // From now on tasks wait so many times as long as at first.
  void wait_times(std::uint64_t times) { wait_times_ = times; }

  // Adds the time that a control group is throttled, which is 200 times as much in a burst: a
  // pattern that is known (attribute/patterns.h). REQUIRES: no tick yet.
  void tell_of_throttling() {
    add_wait("cpu_cgroup_throttled_seconds_total", model::Subsystem::kStorage);
  }

  // Adds the CPU time of a control group, which is 200 times as much while the processors have a
  // burst. REQUIRES: no tick yet.
  void tell_who_computes() {
    add_wait("cpu_cgroup_usage_seconds_total", model::Subsystem::kCpu, "cg=/spinner");
  }

  // Adds a job of 20 steps a second, which leave behind what the work rate is taken from. REQUIRES:
  // no tick yet.
  void tell_of_work() {
    first_of_work_ = channels.channel_count();
    add_work("network_received_bytes_total", model::Subsystem::kNetwork);
    add_work("network_sent_bytes_total", model::Subsystem::kNetwork);
    add_work("memory_freed_pages_total", model::Subsystem::kMemory);
  }
  // From now on that job works at that share of its usual rate.
  void work_at(double rate) { work_rate_ = rate; }

  // From now on gauges stay about where they were at first, instead of wandering.
  void stay() { stays_ = true; }

  // Returns the frame of the next tick. While `burst`, the storage counters run 200 times as fast;
  // while `cpu_burst`, the processors' do.
  const model::Frame& tick(bool burst = false, bool cpu_burst = false) {
    frame_.sequence = next_;
    frame_.wall_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(next_) * kInterval_ns;
    frame_.mono_ns = static_cast<std::int64_t>(next_ + 1) * kInterval_ns;
    frame_.gap = skipped_ ? model::kGapLate : model::kNoGap;
    for (std::size_t i = 0; i < level_.size(); ++i) step(i, burst, cpu_burst);
    step_work();
    ++next_;
    skipped_ = false;
    return frame_;
  }

  // Lets ticks pass without a frame; the host goes on counting.
  void skip(int ticks, bool burst = false) {
    for (int i = 0; i < ticks; ++i) tick(burst);
    skipped_ = true;
  }

  static constexpr std::int64_t kInterval_ns = 100'000'000;
  static constexpr std::uint64_t kLevel = 1'000'000;  // of every channel at first
  model::RunFacts facts;
  model::ChannelTable channels;

 private:
  // Time that is counted, in microseconds, of the host or a control group. Of storage it runs away
  // in a burst.
  void add_wait(std::string_view name, model::Subsystem subsystem, std::string_view group = "") {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = "Pressure";
    metric.unit = "seconds";
    metric.kind = model::Kind::kCounter;
    metric.scale = 1e-6;
    metric.subsystem = subsystem;
    if (!group.empty()) metric.scope = model::Scope::kCgroup;
    channels.add_channel(channels.add_metric(metric), group);
    waits_.resize(channels.channel_count(), false);
    waits_.back() = true;
    frame_.resize(channels.channel_count());
    level_.resize(channels.channel_count(), kLevel);
  }

  void add_work(std::string_view name, model::Subsystem subsystem) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = "Finished things";
    metric.unit = "things";
    metric.kind = model::Kind::kCounter;
    metric.subsystem = subsystem;
    channels.add_channel(channels.add_metric(metric));
    frame_.resize(channels.channel_count());
    level_.resize(channels.channel_count(), kLevel);
  }

  // Steps are a little longer or shorter, and a tick has a whole number of them.
  void step_work() {
    if (first_of_work_ == 0) return;
    done_ += 2 * work_rate_ * (0.9 + 0.001 * static_cast<double>(rng_.below(200)));
    const auto steps = static_cast<std::uint64_t>(done_);
    done_ -= static_cast<double>(steps);
    for (std::size_t i = 0; i < kWorkChannels; ++i) {
      level_[first_of_work_ + i] += steps * 1000;
      frame_.set_u64(model::ChannelId(first_of_work_ + i), level_[first_of_work_ + i]);
    }
  }

  void add(model::Subsystem subsystem, model::Kind kind, const std::string& prefix,
           std::string_view unit, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string name = prefix + std::to_string(i);
      model::MetricDescriptor metric;
      metric.name = name;
      const std::string label = "Quantity " + name;
      metric.label = label;
      metric.unit = unit;
      metric.kind = kind;
      metric.subsystem = subsystem;
      channels.add_channel(channels.add_metric(metric));
    }
  }

  void step(std::size_t i, bool burst, bool cpu_burst) {
    if (first_of_work_ > 0 && i >= first_of_work_ && i < first_of_work_ + kWorkChannels) return;
    const model::ChannelId id(i);
    const auto& metric = channels.metric(id);
    const bool hit = (burst && metric.subsystem == model::Subsystem::kStorage) ||
                     (cpu_burst && metric.subsystem == model::Subsystem::kCpu);
    switch (metric.kind) {
      case model::Kind::kCounter:
        level_[i] += (100 + rng_.below(100)) * (hit ? 200u : 1u) *
                     (i < waits_.size() && waits_[i] ? wait_times_ : 1u);
        break;
      case model::Kind::kGauge:
        if (stays_) level_[i] = kLevel;
        level_[i] += rng_.below(2001);
        level_[i] -= 1000;
        break;
      case model::Kind::kEvent:
        level_[i] += rng_.below(20) == 0 ? 1u : 0u;
        break;
      case model::Kind::kStatic:
        break;
    }
    frame_.set_u64(id, level_[i]);
  }

  static constexpr std::size_t kWorkChannels = 3;
  base::Rng rng_;
  std::size_t first_of_work_ = 0;
  double work_rate_ = 1;
  double done_ = 0;  // of a step
  bool stays_ = false;
  std::vector<bool> waits_;  // by channel: is it of those
  std::uint64_t wait_times_ = 1;
  model::Frame frame_;
  std::vector<std::uint64_t> level_;
  std::uint64_t next_ = 0;
  bool skipped_ = false;
};

}  // namespace reveal::pipeline
