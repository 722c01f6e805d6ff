// Which perf events of the cores' own counters this host counts, and in which groups: the rows of
// perf/events_{generic,intel,amd,arm,riscv}.cc, each probed by opening it on one core, then grouped
// as perf/group_plan.h says.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "collect/perf/perf_rows.h"
#include "perf/event_names.h"

namespace reveal::collect {

struct CoreTables {
  std::vector<const perf::EventDescriptor*> base;
  std::vector<const perf::EventDescriptor*> turns;  // in order of importance
};

// Returns the rows of the registry.
CoreTables core_tables();

struct CoreGroup {
  std::vector<perf::EventCode> codes;
  std::vector<std::size_t> event_of;  // by metric: the place of its event in `codes`
  std::vector<model::MetricDescriptor> metrics;
  std::string names;  // of its events, for people
};

struct CorePlan {
  CoreGroup base;
  std::vector<CoreGroup> turns;
  bool watchdog = false;  // the kernel's NMI watchdog holds a counter
};

// Fails if no event of the base counts. Why a row is in no group is added to `absences`.
base::Result<CorePlan> plan_core(const CoreTables& tables, const procfs::HostRoot& root,
                                 std::uint32_t cpu, Absences& absences);

}  // namespace reveal::collect
