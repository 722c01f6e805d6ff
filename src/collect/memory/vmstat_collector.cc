// /proc/vmstat: what the virtual memory system did since boot. One row a metric.
//
// Which keys there are depends on the kernel's version and configuration; numa_* need CONFIG_NUMA,
// thp_* transparent huge pages, compact_* compaction.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/page_size.h"
#include "procfs/keyed_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Subsystem;

constexpr MetricDescriptor row(std::string_view source, Kind kind, std::string_view unit,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = Subsystem::kMemory;
  out.source = source;
  out.alias = key_of_source(source);
  out.doc_url = "https://docs.kernel.org/admin-guide/sysctl/vm.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor block_io(MetricDescriptor out) {
  out.subsystem = Subsystem::kStorage;
  return out;
}

// pgpgin and pgpgout are counted in sectors and shown in KiB.
constexpr MetricDescriptor kib(MetricDescriptor out) {
  out.scale = 1024.0;
  return out;
}

constexpr auto kCounter = Kind::kCounter;
constexpr auto kEvent = Kind::kEvent;
constexpr auto kGauge = Kind::kGauge;

// The unit of gauges that other metrics in bytes are compared with.
constexpr std::string_view kBytesInPages = "bytes";

constexpr MetricDescriptor kMetrics[] = {
    block_io(kib(row("/proc/vmstat pgpgin", kCounter, "bytes", "storage_paged_in_bytes_total",
                     "Bytes read from block devices", "Bytes of all reads of block devices."))),
    block_io(kib(row("/proc/vmstat pgpgout", kCounter, "bytes", "storage_paged_out_bytes_total",
                     "Bytes written to block devices", "Bytes of all writes to block devices."))),
    row("/proc/vmstat pswpin", kEvent, "pages", "memory_swapped_in_pages_total", "Pages swapped in",
        "Pages read back from swap.", 20),
    row("/proc/vmstat pswpout", kEvent, "pages", "memory_swapped_out_pages_total",
        "Pages swapped out", "Pages written to swap.", 20),
    row("/proc/vmstat pgfault", kCounter, "faults", "memory_page_faults_total", "Page faults",
        "Page faults of all programs, minor and major.", 20),
    row("/proc/vmstat pgmajfault", kEvent, "faults", "memory_major_page_faults_total",
        "Major page faults", "Page faults that had to wait for I/O.", 10),
    row("/proc/vmstat pgfree", kCounter, "pages", "memory_freed_pages_total", "Pages freed",
        "Pages given back to the allocator."),
    row("/proc/vmstat pgactivate", kCounter, "pages", "memory_activated_pages_total",
        "Pages activated", "Pages that moved to the active list."),
    row("/proc/vmstat pgdeactivate", kCounter, "pages", "memory_deactivated_pages_total",
        "Pages deactivated", "Pages that moved to the inactive list."),
    row("/proc/vmstat pgsteal_kswapd", kCounter, "pages", "memory_reclaimed_background_pages_total",
        "Pages reclaimed in the background", "Pages that kswapd reclaimed."),
    row("/proc/vmstat pgsteal_direct", kCounter, "pages", "memory_reclaimed_direct_pages_total",
        "Pages reclaimed directly",
        "Pages that programs had to reclaim themselves before they got memory.", 60),
    row("/proc/vmstat pgscan_kswapd", kCounter, "pages", "memory_scanned_background_pages_total",
        "Pages scanned in the background", "Pages that kswapd looked at for reclaim."),
    row("/proc/vmstat pgscan_direct", kCounter, "pages", "memory_scanned_direct_pages_total",
        "Pages scanned directly", "Pages that programs looked at for reclaim themselves.", 60),
    row("/proc/vmstat allocstall_normal", kEvent, "stalls", "memory_allocation_stalls_normal_total",
        "Stalled memory allocations",
        "Allocations in the normal zone that had to reclaim first (Linux 4.10).", 60),
    row("/proc/vmstat allocstall_movable", kEvent, "stalls",
        "memory_allocation_stalls_movable_total", "Stalled movable allocations",
        "Allocations in the movable zone that had to reclaim first (Linux 4.10).", 60),
    row("/proc/vmstat oom_kill", kEvent, "kills", "memory_oom_kills_total", "Out-of-memory kills",
        "Processes killed because memory ran out (Linux 4.13).", 50),
    row("/proc/vmstat compact_stall", kCounter, "stalls", "memory_compaction_stalls_total",
        "Stalls for compaction", "Allocations that had to compact memory first."),
    row("/proc/vmstat compact_fail", kEvent, "failures", "memory_compaction_failures_total",
        "Failed compactions", "Compactions that gave no page of the wanted size."),
    row("/proc/vmstat compact_success", kCounter, "compactions", "memory_compactions_total",
        "Successful compactions", "Compactions that gave a page of the wanted size."),
    row("/proc/vmstat thp_fault_alloc", kCounter, "pages", "memory_huge_faults_total",
        "Huge pages allocated at a fault", "Page faults that got a transparent huge page."),
    row("/proc/vmstat thp_fault_fallback", kEvent, "faults", "memory_huge_fault_fallbacks_total",
        "Huge page faults that fell back",
        "Page faults that wanted a huge page and got small ones."),
    row("/proc/vmstat thp_collapse_alloc", kCounter, "pages", "memory_huge_collapses_total",
        "Huge pages made by collapsing", "Huge pages allocated by khugepaged."),
    row("/proc/vmstat thp_collapse_alloc_failed", kEvent, "failures",
        "memory_huge_collapse_failures_total", "Failed huge page collapses",
        "Huge pages that khugepaged could not allocate."),
    row("/proc/vmstat thp_split_page", kCounter, "pages", "memory_huge_splits_total",
        "Huge pages split", "Transparent huge pages split into small ones (Linux 4.5)."),
    row("/proc/vmstat numa_hit", kCounter, "pages", "memory_numa_hits_total", "NUMA hits",
        "Pages allocated on the node that was wanted."),
    row("/proc/vmstat numa_miss", kEvent, "pages", "memory_numa_misses_total", "NUMA misses",
        "Pages allocated on a node though another was wanted."),
    row("/proc/vmstat numa_foreign", kEvent, "pages", "memory_numa_foreign_total",
        "NUMA foreign allocations", "Pages wanted on a node and allocated on another.", 150),
    row("/proc/vmstat numa_local", kCounter, "pages", "memory_numa_local_total",
        "Pages allocated locally", "Pages allocated on the node of the asking core.", 150),
    row("/proc/vmstat numa_other", kCounter, "pages", "memory_numa_other_total",
        "Pages allocated remotely", "Pages allocated on another node than the asking core's."),
    row("/proc/vmstat numa_pte_updates", kCounter, "pages", "memory_numa_pte_updates_total",
        "NUMA balancing marks", "Page table entries marked by NUMA balancing (Linux 3.8)."),
    row("/proc/vmstat numa_hint_faults", kCounter, "faults", "memory_numa_hint_faults_total",
        "NUMA balancing faults", "Faults that NUMA balancing provoked (Linux 3.8)."),
    row("/proc/vmstat numa_hint_faults_local", kCounter, "faults",
        "memory_numa_hint_faults_local_total", "Local NUMA balancing faults",
        "Faults that NUMA balancing provoked and that found the page local (Linux 3.8).", 150),
    row("/proc/vmstat numa_pages_migrated", kCounter, "pages", "memory_numa_migrated_pages_total",
        "Pages migrated between NUMA nodes",
        "Pages that NUMA balancing moved to another node (Linux 3.8)."),
    row("/proc/vmstat pgmigrate_success", kCounter, "pages", "memory_migrated_pages_total",
        "Pages migrated", "Pages moved to another place in memory (Linux 3.8)."),
    row("/proc/vmstat pgmigrate_fail", kEvent, "pages", "memory_migration_failures_total",
        "Failed page migrations", "Pages that could not be moved (Linux 3.8)."),
    row("/proc/vmstat workingset_refault_anon", kCounter, "pages",
        "memory_refaulted_anonymous_pages_total", "Anonymous pages faulted back",
        "Pages of programs that were reclaimed and soon needed again (Linux 5.9)."),
    row("/proc/vmstat workingset_refault_file", kCounter, "pages",
        "memory_refaulted_file_pages_total", "Page cache faulted back",
        "Page cache that was reclaimed and soon needed again (Linux 5.9).", 60),
    block_io(row("/proc/vmstat nr_dirtied", kCounter, "pages", "storage_dirtied_pages_total",
                 "Pages dirtied", "Page cache pages that became dirty.")),
    block_io(row("/proc/vmstat nr_written", kCounter, "pages", "storage_written_pages_total",
                 "Dirty pages written", "Page cache pages that were written back.")),
    row("/proc/vmstat nr_dirty_threshold", kGauge, kBytesInPages, "memory_dirty_threshold_bytes",
        "Dirty page limit", "Dirty page cache above which writers are held back.", 150),
    row("/proc/vmstat nr_dirty_background_threshold", kGauge, kBytesInPages,
        "memory_dirty_background_threshold_bytes", "Background writeback limit",
        "Dirty page cache above which writeback starts.", 150),
    row("/proc/vmstat kswapd_low_wmark_hit_quickly", kEvent, "events",
        "memory_low_watermark_hits_total", "Quick falls below the low watermark",
        "Times that memory ran low again soon after kswapd had gone to sleep."),
    row("/proc/vmstat pageoutrun", kCounter, "runs", "memory_background_reclaims_total",
        "Background reclaim runs", "Runs of kswapd."),
    row("/proc/vmstat drop_pagecache", kCounter, "drops", "memory_page_cache_drops_total",
        "Forced page cache drops", "Writes of 1 or 3 to /proc/sys/vm/drop_caches (Linux 3.15)."),
    row("/proc/vmstat unevictable_pgs_culled", kCounter, "pages",
        "memory_unevictable_culled_pages_total", "Pages found unevictable",
        "Pages that reclaim moved to the unevictable list."),
    row("/proc/vmstat nr_foll_pin_acquired", kCounter, "pages", "memory_pins_acquired_total",
        "Pages pinned for devices", "Pages pinned for direct access by devices (Linux 5.7)."),
    row("/proc/vmstat nr_foll_pin_released", kCounter, "pages", "memory_pins_released_total",
        "Pages unpinned by devices", "Pages unpinned after direct access by devices (Linux 5.7)."),
    row("/proc/vmstat htlb_buddy_alloc_fail", kEvent, "failures", "memory_huge_pool_failures_total",
        "Failed huge page pool allocations",
        "Huge pages that could not be allocated for the pool."),
};

std::vector<MetricDescriptor> vmstat_metrics() {
  std::vector<MetricDescriptor> out{std::begin(kMetrics), std::end(kMetrics)};
  for (auto& metric : out) {
    if (metric.kind == kGauge && metric.unit == kBytesInPages) metric.scale = page_bytes();
  }
  return out;
}

std::unique_ptr<Collector> make_vmstat() {
  return std::make_unique<KeyedCollector<procfs::KeyedLayout>>("vmstat", vmstat_metrics());
}

}  // namespace

extern const CollectorDescriptor kVmstatCollector = {
    .name = "vmstat",
    .help = "paging, reclaim, compaction and NUMA placement",
    .make = make_vmstat,
    .metrics = vmstat_metrics,
};

}  // namespace reveal::collect
