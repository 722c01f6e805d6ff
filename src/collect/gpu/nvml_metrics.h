// The metric rows of the nvml collector: first those made of gpu's table of signals, of a GPU,
// of an NVLink and of a MIG instance, and last those of the groups that use a GPU.
#pragma once

#include <vector>

#include "gpu/signals.h"
#include "model/metric.h"

namespace reveal::collect {

// Returns all that the collector nvml may yield.
std::vector<model::MetricDescriptor> nvml_metrics();

model::MetricDescriptor metric_of(const gpu::Signal& signal, model::Scope scope);

// Returns why a signal is missing whose last reading had that result (gpu::NvmlReturn).
struct MissingReason {
  std::string_view what;
  std::string_view remedy;
};
MissingReason reason_of(const gpu::Signal& signal, int result);

}  // namespace reveal::collect
