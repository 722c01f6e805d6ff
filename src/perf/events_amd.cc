// AMD's events, Zen 1 to Zen 4. If libpfm4's table of a generation lacks an event it is given by
// its number, for the generations whose reference shows it, as in the kernel's own tables
// (tools/perf/pmu-events/arch/x86/amdzen*).
#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr EventDescriptor row(std::string_view source, std::string_view names,
                              std::string_view metric, std::string_view label,
                              std::string_view unit, std::string_view subsystem,
                              std::string_view help, std::int16_t rank) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank, names};
  out.doc_url = "https://man7.org/linux/man-pages/man1/perf-list.1.html";
  return out;
}

constexpr EventDescriptor rare(EventDescriptor out) {
  out.rare = true;
  return out;
}

constexpr EventDescriptor kEvents[] = {
    row("perf ls_dispatch.ld_dispatch", "LS_DISPATCH:LD_DISPATCH", "memory_dispatched_loads_total",
        "Dispatched loads", "loads", "memory",
        "Loads sent to the load-store unit, speculative ones too.", 20),
    row("perf ls_dispatch.store_dispatch", "LS_DISPATCH:STORE_DISPATCH",
        "memory_dispatched_stores_total", "Dispatched stores", "stores", "memory",
        "Stores sent to the load-store unit, speculative ones too.", 30),
    row("perf ls_dispatch.ld_st_dispatch", "LS_DISPATCH:LD_ST_DISPATCH",
        "memory_dispatched_updates_total", "Dispatched updates", "operations", "memory",
        "Operations that load and store one address, sent to the load-store unit.", 90),
    row("perf ls_dc_accesses", "zen1,zen2,zen3:cpu/event=0x40/", "memory_data_cache_accesses_total",
        "Data cache accesses", "accesses", "memory",
        "Accesses of loads and stores to the first data cache, speculative ones too.", 30),
    row("perf ls_any_fills_from_sys.mem_io_local", "zen3,zen4:cpu/event=0x44,umask=0x08/",
        "memory_local_dram_fills_total", "Fills from local DRAM", "fills", "memory",
        "Lines that the first data cache got from memory or devices of the same node.", 20),
    row("perf ls_any_fills_from_sys.mem_io_remote", "zen3,zen4:cpu/event=0x44,umask=0x40/",
        "memory_remote_dram_fills_total", "Fills from remote DRAM", "fills", "memory",
        "Lines that the first data cache got from memory or devices of another node.", 20),
    row("perf ls_any_fills_from_sys.ext_cache_local", "zen3,zen4:cpu/event=0x44,umask=0x04/",
        "memory_local_cache_fills_total", "Fills from other caches of the node", "fills", "memory",
        "Lines that the first data cache got from another core complex of the same node.", 50),
    row("perf ls_any_fills_from_sys.ext_cache_remote", "zen3,zen4:cpu/event=0x44,umask=0x10/",
        "memory_remote_cache_fills_total", "Fills from caches of other nodes", "fills", "memory",
        "Lines that the first data cache got from a core complex of another node.", 50),
    row("perf ls_any_fills_from_sys.int_cache", "zen3,zen4:cpu/event=0x44,umask=0x02/",
        "memory_l3_fills_total", "Fills from L3", "fills", "memory",
        "Lines that the first data cache got from the third cache or a neighbor of the same "
        "complex.",
        60),
    row("perf ls_mab_alloc.all_allocations", "zen3,zen4:cpu/event=0x41,umask=0x7f/",
        "memory_miss_buffers_allocated_total", "Allocated miss buffers", "buffers", "memory",
        "Misses of the first data cache that got a buffer to wait in.", 80),
    row("perf ls_alloc_mab_count", "zen3,zen4:cpu/event=0x5f/",
        "memory_miss_buffers_occupied_total", "Occupied miss buffers", "buffers", "memory",
        "Quarter of the misses that were waiting, rounded down, added up each cycle.", 70),
    row("perf ls_l1_d_tlb_miss.all", "zen1,zen2,zen3,zen4:cpu/event=0x45,umask=0xff/",
        "memory_l1_dtlb_misses_total", "L1 data TLB misses", "misses", "memory",
        "Accesses whose page was not in the first translation buffer.", 70),
    row("perf ls_tablewalker.dside", "zen1,zen2,zen3:cpu/event=0x46,umask=0x03/",
        "memory_data_page_walks_total", "Page walks for data", "walks", "memory",
        "Page walks for loads and stores; huge pages lower it.", 40),
    rare(row("perf ls_smi_rx", "zen2,zen3,zen4:cpu/event=0x2b/", "cpu_received_smi_total",
             "Received management interrupts", "interrupts", "cpu",
             "System management interrupts, in which firmware holds the core.", 30)),
    row("perf ls_int_taken", "zen2,zen3,zen4:cpu/event=0x2c/", "cpu_taken_interrupts_total",
        "Taken interrupts", "interrupts", "cpu", "Interrupts that the core took.", 100),
    row("perf ls_locks.bus_lock", "zen1,zen2,zen3:cpu/event=0x25,umask=0x01/",
        "memory_bus_locks_total", "Bus locks", "locks", "memory",
        "Locked operations that crossed a cache line and stopped all memory.", 50),
};

}  // namespace

std::span<const EventDescriptor> amd_events() {
  return kEvents;
}

}  // namespace reveal::perf
