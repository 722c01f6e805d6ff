// The metrics of /proc/interrupts: rows that the kernel names, and sums over the numbered rows of
// one kind of device, since a server has hundreds of queues whose numbers mean nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "collect/parts/metric_rows.h"
#include "procfs/interrupts.h"

namespace reveal::collect {

// Where the counts of a metric come from. `name` is a named row, else `irq_class` is the kind of
// device whose rows are summed, else it is one of the two sums over many kinds.
struct IrqKey {
  std::string_view name;
  std::optional<procfs::IrqClass> irq_class;
};

// The first is the sum over all rows, the second that over the rows of all devices.
inline constexpr std::size_t kAllRows = 0;
inline constexpr std::size_t kDeviceRows = 1;
std::span<const MetricRow<IrqKey>> interrupt_rows();

}  // namespace reveal::collect
