// Workloads of a made-up host for tests: three levels that they are known by, and a metric that
// tells what waits. Only tests include this.
#pragma once

#include <cstddef>
#include <cstdint>

#include "detect/workload_baseline.h"
#include "feature/feature.h"
#include "model/channel_table.h"

namespace reveal::detect {

struct MadeWorkloads {
  static constexpr double kMiB = 1 << 20;
  static constexpr double kPageTables = 20 * kMiB;
  static constexpr double kMapped = 400 * kMiB;
  static constexpr double kCommitted = 4096 * kMiB;

  MadeWorkloads() {
    for (const char* name : {"memory_page_tables_bytes", "memory_mapped_bytes",
                             "memory_committed_bytes", "cpu_pressure_some_seconds_total"}) {
      model::MetricDescriptor metric;
      metric.name = name;
      metric.label = name;
      metric.kind = model::Kind::kGauge;
      channels.add_channel(channels.add_metric(metric));
    }
  }

  // Windows of a workload of so many times the usual footprint, in which that share is waited.
  feature::FeatureMatrix windows(double times, double waits, std::size_t count = 60) const {
    feature::FeatureMatrix out;
    const auto mean = feature::find_feature("mean").value();
    for (std::size_t i = 0; i < channels.channel_count(); ++i) {
      out.add_column({model::ChannelId(i), mean});
    }
    for (std::size_t row = 0; row < count; ++row) {
      window::WindowSpan span;
      span.id = window::WindowId(row);
      span.begin_ns = static_cast<std::int64_t>(row) * 1'000'000'000;
      span.end_ns = span.begin_ns + 3'000'000'000;
      auto& values = out.add_row(span);
      const double noise = 1 + 0.01 * static_cast<double>(row % 7);
      values = {kPageTables * times * noise, kMapped * times * noise, kCommitted * times * noise,
                waits * noise};
    }
    return out;
  }

  FittedBaseline workload(double times, double waits, std::int64_t begin_ns) const {
    BaselineOrigin origin;
    origin.begin_ns = begin_ns;
    return fit_workload(windows(times, waits), channels, origin, {}).value();
  }

  model::ChannelTable channels;
};

}  // namespace reveal::detect
