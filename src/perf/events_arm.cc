// Arm's events on Neoverse cores and Grace, by the names under which the kernel shows what the PMU
// says that it has. What the kernel's generic events count already has no row here: cpu-cycles is
// cpu_cycles, instructions inst_retired, stalled-cycles-frontend and -backend stall_frontend and
// stall_backend.
#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr EventDescriptor row(std::string_view source, std::string_view names,
                              std::string_view metric, std::string_view label,
                              std::string_view unit, std::string_view subsystem,
                              std::string_view help, std::int16_t rank) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank, names};
  out.doc_url = "https://developer.arm.com/documentation/ddi0487/latest";
  return out;
}

constexpr EventDescriptor kEvents[] = {
    row("perf stall_backend_mem", "armv8*/stall_backend_mem/", "memory_backend_stall_cycles_total",
        "Backend stalls for memory", "cycles", "memory",
        "Cycles in which nothing was dispatched because memory had not answered.", 10),
    row("perf br_mis_pred_retired", "armv8*/br_mis_pred_retired/",
        "cpu_retired_branch_misses_total", "Completed mispredicted branches", "branches", "cpu",
        "Branches that completed and had been mispredicted.", 60),
    row("perf l1d_cache_refill", "armv8*/l1d_cache_refill/", "memory_l1d_refills_total",
        "L1 data cache refills", "refills", "memory", "Lines that the first data cache had to get.",
        50),
    row("perf l2d_cache_refill", "armv8*/l2d_cache_refill/", "memory_l2d_refills_total",
        "L2 data cache refills", "refills", "memory",
        "Lines that the second data cache had to get.", 40),
    row("perf ll_cache_miss_rd", "armv8*/ll_cache_miss_rd/", "memory_last_level_read_misses_total",
        "Last-level cache read misses", "misses", "memory", "Reads that missed the last cache.",
        20),
    row("perf dtlb_walk", "armv8*/dtlb_walk/", "memory_dtlb_walks_total", "Data TLB walks", "walks",
        "memory", "Page walks for data; huge pages lower it.", 30),
    row("perf itlb_walk", "armv8*/itlb_walk/", "cpu_itlb_walks_total", "Instruction TLB walks",
        "walks", "cpu", "Page walks for instructions.", 80),
    row("perf mem_access", "armv8*/mem_access/", "memory_core_accesses_total", "Memory accesses",
        "accesses", "memory", "Loads and stores that the core sent to its data cache.", 60),
    row("perf remote_access", "armv8*/remote_access/", "memory_remote_accesses_total",
        "Accesses to another chip", "accesses", "memory",
        "Accesses that another socket or chip answered.", 20),
    row("perf bus_access", "armv8*/bus_access/", "memory_bus_accesses_total", "Bus accesses",
        "accesses", "memory", "Transfers between the core and the rest of the system.", 50),
};

}  // namespace

std::span<const EventDescriptor> arm_events() {
  return kEvents;
}

}  // namespace reveal::perf
