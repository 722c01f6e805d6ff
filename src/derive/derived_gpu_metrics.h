// Derived metrics of GPUs. They are part of derived_metrics().
#pragma once

#include <span>

#include "derive/derived_metrics.h"

namespace reveal::derive {

std::span<const DerivedMetric> derived_gpu_metrics();

}  // namespace reveal::derive
