// Jobs made up tick by tick, with counters of their steps, for tests of the work rate.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "model/channel_table.h"
#include "work/work_meter.h"

namespace reveal::work {

inline constexpr std::int64_t kTick_ns = 100'000'000;
inline constexpr std::int64_t kStart_ns = 1'700'000'000'000'000'000;

// A host whose channels get a value a tick.
class SyntheticHost {
 public:
  std::size_t add(std::string_view metric, std::string_view instance = {},
                  model::Scope scope = model::Scope::kHost) {
    model::MetricDescriptor descriptor;
    descriptor.name = metric;
    descriptor.scope = scope;
    const auto id = channels_.add_channel(channels_.add_metric(descriptor), instance);
    row_.resize(channels_.channel_count(), std::numeric_limits<double>::quiet_NaN());
    return id.index();
  }
  double& operator[](std::size_t channel) { return row_[channel]; }

  // The tick is over.
  void tick() {
    meter_.add(channels_, sequence_, now_ns(), kTick_ns, row_);
    ++sequence_;
  }
  // A tick that the recorder missed.
  void miss() { ++sequence_; }

  // When the next tick is due.
  std::int64_t now_ns() const {
    return kStart_ns + static_cast<std::int64_t>(sequence_) * kTick_ns;
  }
  static std::int64_t at(double seconds) {
    return kStart_ns - kTick_ns + static_cast<std::int64_t>(seconds * 1e9);
  }
  WorkMeter& meter() { return meter_; }

 private:
  model::ChannelTable channels_;
  std::vector<double> row_;
  WorkMeter meter_;
  std::uint64_t sequence_ = 0;
};

// Steps one after the other, each a little longer or shorter than `step_s`; speed 1 is usual.
class Steps {
 public:
  explicit Steps(double step_s, std::uint64_t seed = 1) : step_s_(step_s), rng_(seed) { draw(); }

  // Returns how many ended in a tick at that speed.
  double tick(double speed) {
    double done = 0;
    double left = 0.1 * speed;
    while (left >= left_of_step_) {
      left -= left_of_step_;
      ++done;
      draw();
    }
    left_of_step_ -= left;
    return done;
  }

 private:
  void draw() { left_of_step_ = step_s_ * (1 + 0.1 * (rng_.uniform() - 0.5)); }

  double step_s_;
  base::Rng rng_;
  double left_of_step_ = 0;
};

}  // namespace reveal::work
