// The registry of derived metrics: one row makes a metric out of others, for output, docs, storage
// and detection alike. A derived channel appears as soon as all of its inputs have.
#pragma once

#include <span>
#include <string_view>

#include "model/metric.h"

namespace reveal::derive {

enum class Shape {
  kPerInstance,      // one channel for every instance that all inputs have
  kAcrossInstances,  // one channel for the host, over all instances of its single input
};

struct DerivedMetric {
  model::MetricDescriptor descriptor;
  // Names of raw metrics, or of derived ones in rows above. Values come in base units, counters and
  // events as rates per second.
  std::span<const std::string_view> inputs;
  Shape shape;
  // kPerInstance: one value an input, in their order, none NaN unless `takes_unknown`.
  // kAcrossInstances: one value an instance that has one; host totals are left out; never empty.
  double (*compute)(std::span<const double> values);
  // kPerInstance: it is computed, too, if some inputs are NaN, that is not known.
  bool takes_unknown = false;
};

// Returns all derived metrics, in the order in which they are computed.
std::span<const DerivedMetric> derived_metrics();

}  // namespace reveal::derive
