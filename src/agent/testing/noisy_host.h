// A made-up host whose frames take as many bytes as a test asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/rng.h"
#include "model/frame.h"

namespace reveal::agent {

class NoisyHost {
 public:
  static constexpr std::size_t kChannels = 64;

  NoisyHost(std::uint64_t seed, std::int64_t interval_ns) : rng_(seed) {
    facts.host = "noisy";
    facts.kernel = "6.1.0";
    facts.boot_id = "b";
    facts.interval_ns = interval_ns;
    facts.start_wall_ns = kStart_ns;
    for (std::size_t i = 0; i < kChannels; ++i) {
      const std::string name = "memory_" + std::to_string(i) + "_bytes";
      model::MetricDescriptor metric;
      metric.name = name;
      metric.label = name;
      metric.unit = "bytes";
      metric.subsystem = model::Subsystem::kMemory;
      channels.add_channel(channels.add_metric(metric));
    }
    frame_.resize(kChannels);
  }

  // Returns the frame of the next tick. `moving` channels, at most kChannels, have another random
  // number, of which no codec makes less than eight bytes.
  const model::Frame& tick(std::size_t moving) {
    frame_.sequence = next_++;
    const auto since_ns = static_cast<std::int64_t>(next_) * facts.interval_ns;
    frame_.wall_ns = kStart_ns + since_ns + ahead_ns_;
    frame_.mono_ns = since_ns;
    const auto first = rng_.below(kChannels);
    for (std::size_t i = 0; i < kChannels; ++i) {
      const auto before = frame_.bits[i];
      const bool moves = (i + first) % kChannels < moving;
      frame_.set_u64(model::ChannelId(i), moves ? rng_.next() : before);
    }
    return frame_;
  }

  // Sets the wall clock on, or back.
  void step_clock(std::int64_t by_ns) { ahead_ns_ += by_ns; }

  static constexpr std::int64_t kStart_ns = 1'700'000'000'000'000'000;
  model::RunFacts facts;
  model::ChannelTable channels;

 private:
  base::Rng rng_;
  model::Frame frame_;
  std::uint64_t next_ = 0;
  std::int64_t ahead_ns_ = 0;
};

}  // namespace reveal::agent
