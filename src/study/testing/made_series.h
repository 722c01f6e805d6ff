// Made recordings for the tests of studies. Only tests include this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "study/series.h"

namespace reveal::study {

// Returns a recording of channels "c0", "c1", ... with those samples, a row a tick.
inline Series made_series(std::vector<std::vector<double>> frames, std::int64_t interval_ns) {
  Series out;
  out.interval_ns = interval_ns;
  for (std::size_t i = 0; i < frames.front().size(); ++i) {
    const auto name = "c" + std::to_string(i);
    model::MetricDescriptor metric;
    metric.name = name;
    out.channels.add_channel(out.channels.add_metric(metric));
  }
  for (std::size_t i = 0; i < frames.size(); ++i) out.ticks.push_back(i);
  out.frames = std::move(frames);
  return out;
}

}  // namespace reveal::study
