// Tests only: derived frames from rows of numbers; NaN is a missing sample.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "model/frame.h"

namespace reveal::page {

class Frames {
 public:
  static constexpr std::int64_t kBegin_ns = 1'700'000'000'000'000'000;
  static constexpr std::int64_t kInterval_ns = 100'000'000;

  explicit Frames(std::vector<model::FrameSink*> sinks) : sinks_(std::move(sinks)) {
    model::RunFacts facts;
    facts.host = "node7";
    facts.interval_ns = kInterval_ns;
    for (auto* sink : sinks_) static_cast<void>(sink->begin(facts));
  }

  // Names further channels as they are needed: "load{i=0}", ...
  void write(std::uint64_t sequence, const std::vector<double>& row) {
    while (channels.channel_count() < row.size())
      add("i=" + std::to_string(channels.channel_count()));
    model::Frame frame;
    frame.sequence = sequence;
    frame.wall_ns = kBegin_ns + static_cast<std::int64_t>(sequence) * kInterval_ns;
    frame.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!std::isnan(row[i])) frame.set_f64(model::ChannelId(i), row[i]);
    }
    for (auto* sink : sinks_) static_cast<void>(sink->write(channels, frame));
  }

  void add(const std::string& instance, const std::string& label = "Load") {
    model::MetricDescriptor metric;
    metric.name = "load";
    metric.label = label;
    metric.unit = "tasks";
    channels.add_channel(channels.add_metric(metric), instance);
  }

  void finish() {
    for (auto* sink : sinks_) static_cast<void>(sink->finish());
  }

  model::ChannelTable channels;

 private:
  std::vector<model::FrameSink*> sinks_;
};

}  // namespace reveal::page
