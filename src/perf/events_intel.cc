// Intel's events, Skylake-SP to Emerald Rapids, by the names of the vendor's tables; those of sysfs
// are what the kernel itself offers for the processor. Some exist on some generations only. What
// the kernel's generic events count already has no row here: on these processors cache-misses is
// longest_lat_cache.miss, L1-dcache-loads mem_inst_retired.all_loads, L1-dcache-stores
// mem_inst_retired.all_stores.
//
// Load latency is counted by the sampling hardware (PEBS): on Sapphire Rapids and later it needs
// mem-loads-aux in its group. Top-down shares need the slots event to lead.
#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr EventDescriptor row(std::string_view source, std::string_view names,
                              std::string_view metric, std::string_view label,
                              std::string_view unit, std::string_view subsystem,
                              std::string_view help, std::int16_t rank) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank, names};
  out.doc_url = "https://perfmon-events.intel.com/";
  return out;
}

constexpr EventDescriptor team(Team team, EventDescriptor out) {
  out.team = team;
  return out;
}

constexpr EventDescriptor kEvents[] = {
    row("perf cycle_activity.stalls_l3_miss", "CYCLE_ACTIVITY:STALLS_L3_MISS",
        "memory_l3_stall_cycles_total", "L3 miss stalls", "cycles", "memory",
        "Cycles without an executed instruction while a load waited for memory.", 10),
    row("perf cycle_activity.stalls_total", "CYCLE_ACTIVITY:STALLS_TOTAL", "cpu_stall_cycles_total",
        "Execution stalls", "cycles", "cpu", "Cycles in which no instruction was executed.", 10),
    row("perf cycle_activity.cycles_l3_miss", "CYCLE_ACTIVITY:CYCLES_L3_MISS",
        "memory_l3_miss_cycles_total", "Cycles with L3 misses", "cycles", "memory",
        "Cycles in which a load waited for memory.", 40),
    row("perf cycle_activity.stalls_l2_miss",
        "CYCLE_ACTIVITY:STALLS_L2_MISS MEMORY_ACTIVITY:STALLS_L2_MISS",
        "memory_l2_stall_cycles_total", "L2 miss stalls", "cycles", "memory",
        "Cycles without an executed instruction while a load waited for more than the second "
        "cache.",
        60),
    row("perf cycle_activity.stalls_l1d_miss",
        "CYCLE_ACTIVITY:STALLS_L1D_MISS MEMORY_ACTIVITY:STALLS_L1D_MISS",
        "memory_l1d_stall_cycles_total", "L1 data cache miss stalls", "cycles", "memory",
        "Cycles without an executed instruction while a load waited for more than the first cache.",
        60),
    row("perf cycle_activity.stalls_mem_any", "CYCLE_ACTIVITY:STALLS_MEM_ANY",
        "memory_load_stall_cycles_total", "Load stalls", "cycles", "memory",
        "Cycles without an executed instruction while any load was under way.", 50),
    row("perf cycle_activity.cycles_mem_any", "CYCLE_ACTIVITY:CYCLES_MEM_ANY",
        "memory_load_cycles_total", "Cycles with loads", "cycles", "memory",
        "Cycles in which any load was under way.", 100),
    row("perf memory_activity.stalls_l3_miss", "MEMORY_ACTIVITY:STALLS_L3_MISS",
        "memory_l3_load_stall_cycles_total", "L3 miss load stalls", "cycles", "memory",
        "Cycles without an executed instruction while a demand load waited for memory, on Sapphire "
        "Rapids and later.",
        20),
    row("perf exe_activity.bound_on_stores", "EXE_ACTIVITY:BOUND_ON_STORES",
        "memory_store_bound_cycles_total", "Store buffer full cycles", "cycles", "memory",
        "Cycles in which the store buffer was full and no load was under way.", 60),
    row("perf mem-stores", "cpu/mem-stores/pp", "memory_sampled_stores_total",
        "Stores as the memory sampler counts them", "stores", "memory",
        "Stores, by the event that the kernel offers for sampling memory accesses.", 120),
    row("perf mem_load_retired.l3_miss", "MEM_LOAD_RETIRED:L3_MISS", "memory_l3_load_misses_total",
        "Loads that missed L3", "loads", "memory", "Completed loads that missed the last cache.",
        40),
    row("perf mem_load_l3_miss_retired.local_dram", "MEM_LOAD_L3_MISS_RETIRED:LOCAL_DRAM",
        "memory_local_dram_loads_total", "Loads from local DRAM", "loads", "memory",
        "Completed loads that the memory of the same socket answered.", 30),
    row("perf mem_load_l3_miss_retired.remote_dram", "MEM_LOAD_L3_MISS_RETIRED:REMOTE_DRAM",
        "memory_remote_dram_loads_total", "Loads from remote DRAM", "loads", "memory",
        "Completed loads that the memory of another socket answered.", 30),
    row("perf ocr.reads_to_core.remote_dram", "OCR:READS_TO_CORE_REMOTE_DRAM",
        "memory_remote_dram_reads_total", "Reads from remote DRAM", "reads", "memory",
        "Lines read from the memory of another socket, prefetched ones too.", 50),
    row("perf offcore_requests_outstanding.all_data_rd",
        "OFFCORE_REQUESTS_OUTSTANDING:ALL_DATA_RD OFFCORE_REQUESTS_OUTSTANDING:DATA_RD",
        "memory_offcore_reads_outstanding_total", "Outstanding reads", "reads", "memory",
        "Reads that were waiting outside the core, added up each cycle; divided by cycles, how "
        "many wait on average.",
        30),
    row("perf l1d_pend_miss.pending", "L1D_PEND_MISS:PENDING",
        "memory_l1d_misses_outstanding_total", "Outstanding L1 data cache misses", "misses",
        "memory", "Misses of the first cache that were waiting, added up each cycle.", 60),
    row("perf l1d_pend_miss.fb_full", "L1D_PEND_MISS:FB_FULL",
        "memory_fill_buffer_full_cycles_total", "Fill buffer full cycles", "cycles", "memory",
        "Cycles in which a miss had to wait for a fill buffer.", 60),
    row("perf resource_stalls.sb", "RESOURCE_STALLS:SB", "cpu_store_buffer_stall_cycles_total",
        "Store buffer stalls", "cycles", "cpu",
        "Cycles in which nothing could be allocated for want of a store buffer.", 110),
    row("perf machine_clears.count", "MACHINE_CLEARS:COUNT", "cpu_machine_clears_total",
        "Machine clears", "clears", "cpu", "Times that the pipeline was emptied and started anew.",
        90),
    row("perf int_misc.clear_resteer_cycles", "INT_MISC:CLEAR_RESTEER_CYCLES",
        "cpu_resteer_cycles_total", "Resteer cycles", "cycles", "cpu",
        "Cycles between a cleared pipeline and the first instruction of the right path.", 130),
    row("perf dtlb_load_misses.walk_active", "DTLB_LOAD_MISSES:WALK_ACTIVE",
        "memory_dtlb_walk_cycles_total", "Page walk cycles for loads", "cycles", "memory",
        "Cycles in which a page walk for a load was under way; huge pages lower it.", 30),
    row("perf itlb_misses.walk_active", "ITLB_MISSES:WALK_ACTIVE", "cpu_itlb_walk_cycles_total",
        "Page walk cycles for instructions", "cycles", "cpu",
        "Cycles in which a page walk for a fetch was under way.", 120),
    row("perf hle_retired.start", "HLE_RETIRED:START", "cpu_hle_started_total",
        "Started lock elisions", "elisions", "cpu",
        "Times that hardware lock elision began, where the processor still has it.", 140),
    row("perf hle_retired.aborted", "HLE_RETIRED:ABORTED", "cpu_hle_aborted_total",
        "Aborted lock elisions", "elisions", "cpu",
        "Times that hardware lock elision was given up.", 140),
    row("perf rtm_retired.start", "RTM_RETIRED:START", "cpu_transactions_started_total",
        "Started memory transactions", "transactions", "cpu",
        "Times that a transaction in memory began.", 150),
    row("perf rtm_retired.aborted", "RTM_RETIRED:ABORTED", "cpu_transactions_aborted_total",
        "Aborted memory transactions", "transactions", "cpu",
        "Times that a transaction in memory was given up.", 150),
    row("perf core_power.lvl1_turbo_license", "CORE_POWER:LVL1_TURBO_LICENSE",
        "cpu_turbo_license_1_cycles_total", "Cycles at the AVX2 frequency license", "cycles", "cpu",
        "Cycles in which heavy vector instructions held the frequency down.", 70),
    team(Team::kLoadLatency, row("perf mem-loads", "cpu/mem-loads/pp", "memory_sampled_loads_total",
                                 "Loads as the memory sampler counts them", "loads", "memory",
                                 "Loads slower than the kernel's default threshold, by its event "
                                 "for sampling memory accesses.",
                                 120)),
    team(
        Team::kLoadLatency,
        row("perf mem_trans_retired.load_latency_gt_256", "cpu/mem-loads,ldlat=256/pp",
            "memory_slow_loads_total", "Loads slower than 256 cycles", "loads", "memory",
            "Loads that took more than 256 cycles, of those that the hardware chose to time.", 20)),
    team(Team::kTopdown,
         row("perf slots", "cpu/slots/", "cpu_pipeline_slots_total", "Pipeline slots", "slots",
             "cpu", "Slots in which the core could have issued an operation.", 60)),
    team(Team::kTopdown,
         row("perf topdown-retiring", "cpu/topdown-retiring/", "cpu_retiring_slots_total",
             "Useful pipeline slots", "slots", "cpu", "Slots whose operation completed.", 40)),
    team(Team::kTopdown,
         row("perf topdown-bad-spec", "cpu/topdown-bad-spec/", "cpu_bad_speculation_slots_total",
             "Pipeline slots lost to speculation", "slots", "cpu",
             "Slots whose operation was thrown away.", 60)),
    team(Team::kTopdown, row("perf topdown-fe-bound", "cpu/topdown-fe-bound/",
                             "cpu_frontend_bound_slots_total", "Pipeline slots lost to fetching",
                             "slots", "cpu", "Slots for which no operation had been fetched.", 60)),
    team(Team::kTopdown, row("perf topdown-be-bound", "cpu/topdown-be-bound/",
                             "cpu_backend_bound_slots_total", "Pipeline slots lost to waiting",
                             "slots", "cpu", "Slots that waited for memory or units.", 40)),
};

}  // namespace

std::span<const EventDescriptor> intel_events() {
  return kEvents;
}

}  // namespace reveal::perf
