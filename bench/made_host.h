// A made-up host for benchmarks: counters and gauges that follow a common load, a third of which
// stand still most of the time, as those of most hosts do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "model/frame.h"

namespace reveal::bench {

class MadeHost {
 public:
  explicit MadeHost(std::size_t channels_wanted) {
    facts.host = "made";
    facts.kernel = "none";
    facts.interval_ns = kInterval_ns;
    for (std::size_t i = 0; i < channels_wanted; ++i) {
      names_.push_back("metric_" + std::to_string(i));
    }
    for (std::size_t i = 0; i < channels_wanted; ++i) {
      model::MetricDescriptor metric;
      metric.name = metric.label = names_[i];
      metric.kind = is_gauge(i) ? model::Kind::kGauge : model::Kind::kCounter;
      metric.subsystem = kSubsystems[i % std::size(kSubsystems)];
      channels.add_channel(channels.add_metric(metric));
    }
    frame_.resize(channels_wanted);
    level_.resize(channels_wanted, kLevel);
  }

  // Returns the frame of the next tick. In a disturbed one a fifth of the storage channels move ten
  // times as much.
  const model::Frame& tick(bool disturbed = false) {
    frame_.sequence = next_;
    frame_.wall_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(next_) * kInterval_ns;
    frame_.mono_ns = static_cast<std::int64_t>(++next_) * kInterval_ns;
    const std::uint64_t load = 50 + rng_.below(100);
    for (std::size_t i = 0; i < level_.size(); ++i) {
      const bool hit = disturbed && i % 25 == 4;
      const bool still = !hit && i % 3 == 0 && rng_.below(20) != 0;
      std::uint64_t step = still ? 0 : load * (i % 7) + rng_.below(100);
      if (hit) step *= 10;
      level_[i] = is_gauge(i) ? kLevel + step : level_[i] + step;
      frame_.set_u64(model::ChannelId(i), level_[i]);
    }
    return frame_;
  }

  static constexpr std::int64_t kInterval_ns = 100'000'000;
  model::RunFacts facts;
  model::ChannelTable channels;

 private:
  static constexpr std::uint64_t kLevel = 1'000'000'000;
  static constexpr model::Subsystem kSubsystems[] = {
      model::Subsystem::kCpu, model::Subsystem::kGpu, model::Subsystem::kMemory,
      model::Subsystem::kNetwork, model::Subsystem::kStorage};
  static bool is_gauge(std::size_t channel) { return channel % 4 == 0; }

  base::Rng rng_{11};
  std::vector<std::string> names_;
  model::Frame frame_;
  std::vector<std::uint64_t> level_;
  std::uint64_t next_ = 0;
};

}  // namespace reveal::bench
