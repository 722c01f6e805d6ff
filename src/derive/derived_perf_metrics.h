// Derived metrics whose inputs are perf events. They are part of derived_metrics().
#pragma once

#include <span>

#include "derive/derived_metrics.h"

namespace reveal::derive {

std::span<const DerivedMetric> derived_perf_metrics();

}  // namespace reveal::derive
