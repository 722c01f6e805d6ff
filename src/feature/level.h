// Which feature of a channel says where its samples lie.
#pragma once

#include <string_view>

#include "feature/feature.h"
#include "model/metric.h"

namespace reveal::feature {

// Returns whether the feature is the metric's level in a window: of events their count, of all else
// the mean.
inline bool is_level(const model::MetricDescriptor& metric, FeatureId feature) {
  const bool counts = metric.kind == model::Kind::kEvent;
  return descriptor(feature).name == (counts ? "sum_values" : "mean");
}

}  // namespace reveal::feature
