// The metrics of /proc/interrupts: rows that the kernel names, and sums over the numbered rows of
// one kind of device, since a server has hundreds of queues whose numbers mean nothing.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "collect/metric_rows.h"
#include "procfs/interrupts.h"

namespace reveal::collect {

// Where the counts of a metric come from. `name` is a named row, else `irq_class` is the kind of
// device whose rows are summed, else all rows are.
struct IrqKey {
  std::string_view name;
  std::optional<procfs::IrqClass> irq_class;
};

// The first is the sum over all rows.
std::span<const MetricRow<IrqKey>> interrupt_rows();

}  // namespace reveal::collect
