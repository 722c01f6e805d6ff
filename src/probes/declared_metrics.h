// The metrics that the user has declared, as all probes share them. Each belongs to the probe that
// first has a sample of it, because a channel has one source.
#pragma once

#include <atomic>
#include <map>
#include <string_view>
#include <vector>

#include "model/metric.h"
#include "probes/options.h"

namespace reveal::probes {

class DeclaredMetrics {
 public:
  explicit DeclaredMetrics(std::vector<Metric> metrics);
  // Descriptors have views into the metrics.
  DeclaredMetrics(const DeclaredMetrics&) = delete;
  DeclaredMetrics& operator=(const DeclaredMetrics&) = delete;

  // Returns the metric of that name, or nullptr.
  const model::MetricDescriptor* find(std::string_view name) const;

  // Makes it that probe's if it is nobody's, and returns whether it is that probe's. Any thread.
  // REQUIRES: `probe` is a literal; the metric is one of these.
  bool claim(std::string_view name, const char* probe) const;

  std::size_t count() const { return metrics_.size(); }

 private:
  struct Declared {
    model::MetricDescriptor descriptor;
    mutable std::atomic<const char*> probe{nullptr};
  };

  std::vector<Metric> metrics_;
  std::map<std::string_view, Declared> by_name_;
};

}  // namespace reveal::probes
