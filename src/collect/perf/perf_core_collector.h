// The collector of the cores' own counters, over any tables of events; the registry's is over those
// of this processor. Tests give it tables of events that every kernel counts.
#pragma once

#include <memory>

#include "collect/collector.h"
#include "collect/perf/perf_core_plan.h"

namespace reveal::collect {

std::unique_ptr<Collector> make_perf_core_over(CoreTables tables);

}  // namespace reveal::collect
