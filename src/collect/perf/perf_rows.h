// What the collectors of perf events share: their metrics, made of the rows of perf/events.h, and
// the reason if a row has no channel.
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/metric.h"
#include "perf/events.h"
#include "procfs/host_root.h"

namespace reveal::collect {

model::MetricDescriptor metric_of(const perf::EventDescriptor& event);
std::vector<model::MetricDescriptor> metrics_of_events(
    std::span<const perf::EventDescriptor> events);

// Fails if perf events would not speak of the host that the files are of.
base::Result<void> check_live(const procfs::HostRoot& root);

// Returns CLOCK_MONOTONIC.
std::int64_t monotonic_ns();

// Why metrics have no channel, by their names.
class Absences {
 public:
  void clear() { errors_.clear(); }
  void add(const perf::EventDescriptor& event, base::Error error) {
    errors_.insert_or_assign(event.metric, std::move(error));
  }
  base::Error of(const model::MetricDescriptor& metric) const;

 private:
  std::map<std::string_view, base::Error> errors_;
};

}  // namespace reveal::collect
