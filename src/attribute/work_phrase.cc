#include "attribute/work_phrase.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "text/quantity.h"

namespace reveal::attribute {
namespace {

constexpr std::string_view kOfTime = "of the time";

constexpr auto kPhrases = std::to_array<WorkPhrase>({
    // Processors.
    {"cpu_pressure_some_seconds_total", "Tasks waited for a CPU", kOfTime, {}},
    {"cpu_cgroup_pressure_some_seconds_total", "Tasks waited for a CPU", kOfTime, {}},
    {"cpu_irq_pressure_full_seconds_total", "Interrupts kept tasks from running", kOfTime, {}},
    {"cpu_cgroup_throttled_seconds_total", "The CPU quota kept tasks off", "", "cores"},
    {"cpu_stopped_processes", "A signal or a tracer kept busy processes stopped", kOfTime, "ratio"},
    {"cpu_cgroup_frozen_flag", "A freezer kept all tasks from running", kOfTime, "ratio"},
    {"cpu_steal_ratio", "The hypervisor took", "of the CPU time", {}},
    // GPUs.
    {"gpu_throttle_power_cap_active", "The power cap slowed the clocks", kOfTime, "ratio"},
    {"gpu_throttle_hardware_active", "A hardware slowdown lowered the clocks", kOfTime, "ratio"},
    {"gpu_throttle_heat_active", "Heat lowered the clocks", kOfTime, "ratio"},
    {"gpu_throttle_hardware_heat_active", "Heat lowered the clocks", kOfTime, "ratio"},
    {"gpu_shared_sm_busy_ratio", "Other groups took", "of the SMs' time", {}},
    {"gpu_throttle_power_brake_active", "The power brake lowered the clocks", kOfTime, "ratio"},
    {"gpu_amd_power_throttle_flag", "The power limit slowed the clocks", kOfTime, "ratio"},
    {"gpu_amd_power_limited_ratio", "The power limit slowed the clocks", kOfTime, {}},
    {"gpu_amd_current_throttle_flag", "The current limit slowed the clocks", kOfTime, "ratio"},
    {"gpu_amd_thermal_throttle_flag", "Heat lowered the clocks", kOfTime, "ratio"},
    {"gpu_amd_heat_limited_ratio", "Heat lowered the clocks", kOfTime, {}},
    // Memory.
    {"memory_pressure_some_seconds_total", "Tasks waited for memory", kOfTime, {}},
    {"memory_pressure_full_seconds_total", "All tasks waited for memory", kOfTime, {}},
    {"memory_cgroup_pressure_some_seconds_total", "Tasks waited for memory", kOfTime, {}},
    {"memory_cgroup_pressure_full_seconds_total", "All tasks waited for memory", kOfTime, {}},
    {"memory_swapped_in_pages_total", "The kernel read back from swap", "", {}},
    {"memory_swapped_out_pages_total", "The kernel wrote to swap", "", {}},
    {"memory_reclaimed_direct_pages_total", "Tasks had to free memory themselves:", "", {}},
    // Network.
    {"network_tcp_retransmit_ratio", "TCP sent again", "of its segments", {}},
    {"network_cgroup_tcp_retransmit_ratio", "TCP sent again", "of its segments", {}},
    {"network_tcp_round_trip_p99_seconds", "The slowest of 100 round trips took", "", {}},
    {"network_priority_paused_seconds_total", "The peer paused sending", kOfTime, {}},
    {"network_pcie_write_stalled_ratio", "PCIe stalled the adapter's writes", kOfTime, {}},
    {"network_pcie_read_stalled_ratio", "PCIe stalled the adapter's reads", kOfTime, {}},
    // Storage.
    {"storage_io_pressure_some_seconds_total", "Tasks waited for the disk", kOfTime, {}},
    {"storage_io_pressure_full_seconds_total", "All tasks waited for the disk", kOfTime, {}},
    {"storage_cgroup_pressure_some_seconds_total", "Tasks waited for the disk", kOfTime, {}},
    {"storage_cgroup_pressure_full_seconds_total", "All tasks waited for the disk", kOfTime, {}},
});

// A control group's, whose name the sentence begins with.
constexpr auto kGroupPhrases = std::to_array<WorkPhrase>({
    {"cpu_cgroup_usage_seconds_total", "used", "", "cores"},
    {"gpu_cgroup_sm_busy_ratio", "used", "of GPU", "ratio"},
    {"memory_cgroup_used_bytes", "held", "", "bytes"},
    {"memory_cgroup_limit_hits_total", "hit its memory limit", "", "times"},
    {"storage_cgroup_written_bytes_total", "wrote", "", "bytes/s"},
    {"storage_cgroup_read_bytes_total", "read", "", "bytes/s"},
    {"network_cgroup_traffic_bytes_per_second", "sent and received", "", "bytes/s"},
    {"network_cgroup_tcp_retransmit_ratio", "sent again", "of its TCP segments", "ratio"},
    {"cpu_cgroup_throttled_seconds_total", "was kept off", "by its CPU quota", "cores"},
    {"cpu_cgroup_pressure_some_seconds_total", "waited for a CPU", kOfTime, "ratio"},
    {"cpu_cgroup_frozen_flag", "was frozen", kOfTime, "ratio"},
    {"memory_cgroup_pressure_some_seconds_total", "waited for memory", kOfTime, "ratio"},
    {"storage_cgroup_pressure_some_seconds_total", "waited for the disk", kOfTime, "ratio"},
});

const WorkPhrase* find(std::span<const WorkPhrase> phrases, std::string_view metric) {
  const auto found = std::find_if(phrases.begin(), phrases.end(),
                                  [&](const WorkPhrase& row) { return row.metric == metric; });
  return found == phrases.end() ? nullptr : &*found;
}

}  // namespace

const WorkPhrase* work_phrase(std::string_view metric) {
  return find(kPhrases, metric);
}

const WorkPhrase* group_phrase(std::string_view metric) {
  return find(kGroupPhrases, metric);
}

std::string told(const WorkPhrase& phrase, double observed, double usual, std::string_view unit,
                 std::string_view place) {
  if (!phrase.unit.empty()) unit = phrase.unit;
  const bool cores = unit == "cores";
  return fmt::format("{} {}{}{}{} (usually {})", phrase.before,
                     cores ? text::format_cores(observed) : text::format_quantity(observed, unit),
                     phrase.after.empty() ? "" : " ", phrase.after, place,
                     cores ? fmt::format("{:.2f}", usual) : text::format_quantity(usual, unit));
}

}  // namespace reveal::attribute
