// The events that the kernel itself translates for each processor: PERF_TYPE_HARDWARE and
// PERF_TYPE_HW_CACHE of https://man7.org/linux/man-pages/man2/perf_event_open.2.html.
//
// The base group stands in order of importance. If a processor has too few counters for all of it
// and the rest, the last ones take turns instead, two at a time, so that a ratio's halves stay
// together.
#include <linux/perf_event.h>

#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr EventDescriptor row(EventCode code, std::string_view source, std::string_view metric,
                              std::string_view label, std::string_view unit,
                              std::string_view subsystem, std::string_view help,
                              std::int16_t rank) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank};
  out.code = code;
  return out;
}

constexpr EventCode hardware(std::uint64_t config) {
  return {.type = PERF_TYPE_HARDWARE, .config = config};
}

constexpr EventCode access(std::uint64_t cache, std::uint64_t operation) {
  return {
      .type = PERF_TYPE_HW_CACHE,
      .config = cache | operation << 8 | std::uint64_t{PERF_COUNT_HW_CACHE_RESULT_ACCESS} << 16};
}
constexpr EventCode miss(std::uint64_t cache, std::uint64_t operation) {
  return {.type = PERF_TYPE_HW_CACHE,
          .config = cache | operation << 8 | std::uint64_t{PERF_COUNT_HW_CACHE_RESULT_MISS} << 16};
}
constexpr std::uint64_t kRead = PERF_COUNT_HW_CACHE_OP_READ;
constexpr std::uint64_t kWrite = PERF_COUNT_HW_CACHE_OP_WRITE;

constexpr EventDescriptor kBase[] = {
    row(hardware(PERF_COUNT_HW_CPU_CYCLES), "perf cpu-cycles", "cpu_cycles_total", "Core cycles",
        "cycles", "cpu", "Cycles that the core ran at its actual frequency.", 10),
    row(hardware(PERF_COUNT_HW_INSTRUCTIONS), "perf instructions", "cpu_instructions_total",
        "Retired instructions", "instructions", "cpu", "Instructions that the core completed.", 10),
    row(hardware(PERF_COUNT_HW_REF_CPU_CYCLES), "perf ref-cycles", "cpu_reference_cycles_total",
        "Reference cycles", "cycles", "cpu",
        "Cycles that the core ran, counted at the constant rate of its time stamp counter.", 50),
    row(hardware(PERF_COUNT_HW_BRANCH_INSTRUCTIONS), "perf branch-instructions",
        "cpu_branches_total", "Branches", "branches", "cpu", "Branches that the core completed.",
        30),
    row(hardware(PERF_COUNT_HW_BRANCH_MISSES), "perf branch-misses", "cpu_branch_misses_total",
        "Mispredicted branches", "branches", "cpu", "Branches that the core mispredicted.", 20),
    row(hardware(PERF_COUNT_HW_CACHE_REFERENCES), "perf cache-references",
        "memory_cache_references_total", "Last-level cache references", "references", "memory",
        "Accesses that got as far as the last cache.", 30),
    row(hardware(PERF_COUNT_HW_CACHE_MISSES), "perf cache-misses", "memory_cache_misses_total",
        "Last-level cache misses", "misses", "memory",
        "Accesses that missed the last cache; on Arm the first one.", 10),
};

constexpr EventDescriptor kTurns[] = {
    row(hardware(PERF_COUNT_HW_BUS_CYCLES), "perf bus-cycles", "cpu_bus_cycles_total", "Bus cycles",
        "cycles", "cpu", "Cycles of the core's bus.", 190),
    row(hardware(PERF_COUNT_HW_STALLED_CYCLES_FRONTEND), "perf stalled-cycles-frontend",
        "cpu_frontend_stall_cycles_total", "Frontend stalls", "cycles", "cpu",
        "Cycles in which no instruction could be fetched or decoded.", 40),
    row(hardware(PERF_COUNT_HW_STALLED_CYCLES_BACKEND), "perf stalled-cycles-backend",
        "cpu_backend_stall_cycles_total", "Backend stalls", "cycles", "cpu",
        "Cycles in which decoded instructions waited for memory or units.", 40),
    row(access(PERF_COUNT_HW_CACHE_L1D, kRead), "perf L1-dcache-loads", "memory_l1d_loads_total",
        "L1 data cache loads", "loads", "memory",
        "Loads that asked the first data cache; on Intel the completed ones.", 80),
    row(miss(PERF_COUNT_HW_CACHE_L1D, kRead), "perf L1-dcache-load-misses",
        "memory_l1d_load_misses_total", "L1 data cache load misses", "loads", "memory",
        "Lines that the first data cache lacked.", 80),
    row(access(PERF_COUNT_HW_CACHE_L1D, kWrite), "perf L1-dcache-stores", "memory_l1d_stores_total",
        "L1 data cache stores", "stores", "memory",
        "Stores to the first data cache; on Intel the completed ones.", 90),
    row(miss(PERF_COUNT_HW_CACHE_L1I, kRead), "perf L1-icache-load-misses",
        "cpu_l1i_load_misses_total", "L1 instruction cache misses", "loads", "cpu",
        "Fetches that missed the first instruction cache.", 120),
    row(access(PERF_COUNT_HW_CACHE_LL, kRead), "perf LLC-loads", "memory_llc_loads_total",
        "Last-level cache loads", "loads", "memory", "Loads that asked the last cache.", 110),
    row(miss(PERF_COUNT_HW_CACHE_LL, kRead), "perf LLC-load-misses", "memory_llc_load_misses_total",
        "Last-level cache load misses", "loads", "memory", "Loads that missed the last cache.",
        110),
    row(access(PERF_COUNT_HW_CACHE_LL, kWrite), "perf LLC-stores", "memory_llc_stores_total",
        "Last-level cache stores", "stores", "memory", "Stores that asked the last cache.", 130),
    row(miss(PERF_COUNT_HW_CACHE_LL, kWrite), "perf LLC-store-misses",
        "memory_llc_store_misses_total", "Last-level cache store misses", "stores", "memory",
        "Stores that missed the last cache.", 130),
    row(access(PERF_COUNT_HW_CACHE_DTLB, kRead), "perf dTLB-loads", "memory_dtlb_loads_total",
        "Data TLB loads", "loads", "memory", "Loads whose address was looked up.", 140),
    row(miss(PERF_COUNT_HW_CACHE_DTLB, kRead), "perf dTLB-load-misses",
        "memory_dtlb_load_misses_total", "Data TLB load misses", "loads", "memory",
        "Loads whose page was in no translation buffer.", 60),
    row(miss(PERF_COUNT_HW_CACHE_DTLB, kWrite), "perf dTLB-store-misses",
        "memory_dtlb_store_misses_total", "Data TLB store misses", "stores", "memory",
        "Stores whose page was in no translation buffer.", 120),
    row(miss(PERF_COUNT_HW_CACHE_ITLB, kRead), "perf iTLB-load-misses",
        "cpu_itlb_load_misses_total", "Instruction TLB misses", "fetches", "cpu",
        "Fetches whose page was in no translation buffer.", 120),
    row(access(PERF_COUNT_HW_CACHE_NODE, kRead), "perf node-loads", "memory_node_loads_total",
        "Loads from memory nodes", "loads", "memory", "Loads that memory answered.", 90),
    row(miss(PERF_COUNT_HW_CACHE_NODE, kRead), "perf node-load-misses",
        "memory_node_load_misses_total", "Loads from remote memory nodes", "loads", "memory",
        "Loads that the memory of another node answered.", 70),
};

constexpr EventDescriptor in_cgroup(EventDescriptor out, std::string_view source,
                                    std::string_view metric, std::string_view label) {
  out.alias = alias_of(out);
  out.source = source;
  out.metric = metric;
  out.label = label;
  return out;
}
constexpr EventDescriptor kCgroup[] = {
    in_cgroup(kBase[0], "perf cpu-cycles of a control group", "cpu_cgroup_cycles_total",
              "Core cycles of the control group"),
    in_cgroup(kBase[1], "perf instructions of a control group", "cpu_cgroup_instructions_total",
              "Retired instructions of the control group"),
    in_cgroup(kBase[6], "perf cache-misses of a control group", "memory_cgroup_cache_misses_total",
              "Last-level cache misses of the control group"),
};

}  // namespace

std::span<const EventDescriptor> base_events() {
  return kBase;
}
std::span<const EventDescriptor> cache_events() {
  return kTurns;
}
std::span<const EventDescriptor> cgroup_events() {
  return kCgroup;
}

}  // namespace reveal::perf
