// /proc/meminfo: what memory is used for. One row a metric.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "procfs/keyed_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Subsystem;

constexpr MetricDescriptor row(std::string_view source, std::string_view name,
                               std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "bytes";
  out.subsystem = Subsystem::kMemory;
  out.scale = 1024.0;  // the file's "kB" are KiB
  out.source = source;
  out.alias = key_of_source(source);
  out.doc_url = "https://docs.kernel.org/filesystems/proc.html#meminfo";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor fact(MetricDescriptor out) {
  out.kind = Kind::kStatic;
  return out;
}

constexpr MetricDescriptor event(MetricDescriptor out) {
  out.kind = Kind::kEvent;
  return out;
}

constexpr MetricDescriptor pages(MetricDescriptor out) {
  out.unit = "pages";
  out.scale = 1.0;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    fact(row("/proc/meminfo MemTotal", "memory_installed_bytes", "Usable memory",
             "Memory that the kernel can hand out.", 50)),
    row("/proc/meminfo MemFree", "memory_free_bytes", "Free memory", "Memory that holds nothing."),
    row("/proc/meminfo MemAvailable", "memory_available_bytes", "Available memory",
        "The kernel's estimate of what a new program could get without swapping (Linux 3.14).", 10),
    row("/proc/meminfo Buffers", "memory_buffers_bytes", "Block device buffers",
        "Page cache of block devices themselves."),
    row("/proc/meminfo Cached", "memory_cached_bytes", "Page cache",
        "Page cache of files, with shared memory."),
    row("/proc/meminfo SwapCached", "memory_swap_cached_bytes", "Swap cache",
        "Memory that was read back from swap and still has its copy there."),
    row("/proc/meminfo Active", "memory_active_bytes", "Active memory",
        "Memory used recently, the last to be reclaimed.", 150),
    row("/proc/meminfo Inactive", "memory_inactive_bytes", "Inactive memory",
        "Memory not used recently, the first to be reclaimed.", 150),
    row("/proc/meminfo Active(anon)", "memory_active_anonymous_bytes", "Active anonymous memory",
        "Recently used memory of programs (Linux 2.6.28)."),
    row("/proc/meminfo Inactive(anon)", "memory_inactive_anonymous_bytes",
        "Inactive anonymous memory", "Memory of programs not used recently (Linux 2.6.28)."),
    row("/proc/meminfo Active(file)", "memory_active_file_bytes", "Active page cache",
        "Recently used page cache (Linux 2.6.28)."),
    row("/proc/meminfo Inactive(file)", "memory_inactive_file_bytes", "Inactive page cache",
        "Page cache not used recently (Linux 2.6.28)."),
    row("/proc/meminfo Unevictable", "memory_unevictable_bytes", "Unevictable memory",
        "Memory that cannot be reclaimed, such as locked pages (Linux 2.6.28).", 20),
    row("/proc/meminfo Mlocked", "memory_locked_bytes", "Locked memory",
        "Memory locked with mlock() (Linux 2.6.28)."),
    fact(row("/proc/meminfo SwapTotal", "memory_swap_installed_bytes", "Swap space",
             "Swap space of all swap devices.")),
    row("/proc/meminfo SwapFree", "memory_swap_free_bytes", "Free swap space",
        "Swap space that holds nothing.", 30),
    row("/proc/meminfo Zswap", "memory_zswap_bytes", "Compressed swap pool",
        "Memory that zswap's compressed pages take (Linux 5.19)."),
    row("/proc/meminfo Zswapped", "memory_zswapped_bytes", "Compressed swap contents",
        "Memory of programs that zswap holds, before compression (Linux 5.19)."),
    row("/proc/meminfo Dirty", "memory_dirty_bytes", "Dirty page cache",
        "Page cache that waits to be written to disk.", 10),
    row("/proc/meminfo Writeback", "memory_writeback_bytes", "Page cache under writeback",
        "Page cache that is being written to disk.", 20),
    row("/proc/meminfo AnonPages", "memory_anonymous_bytes", "Anonymous memory",
        "Memory of programs mapped into their address spaces."),
    row("/proc/meminfo Mapped", "memory_mapped_bytes", "Mapped files",
        "Page cache mapped into address spaces."),
    row("/proc/meminfo Shmem", "memory_shared_bytes", "Shared memory",
        "Shared memory and tmpfs, such as data loaders' buffers in /dev/shm (Linux 2.6.32)."),
    row("/proc/meminfo KReclaimable", "memory_kernel_reclaimable_bytes",
        "Reclaimable kernel memory",
        "Kernel memory that is given back under pressure (Linux 4.20).", 150),
    row("/proc/meminfo Slab", "memory_slab_bytes", "Kernel slab memory",
        "Memory of the kernel's own objects.", 150),
    row("/proc/meminfo SReclaimable", "memory_slab_reclaimable_bytes", "Reclaimable slab memory",
        "Kernel objects that can be dropped, such as cached directory entries (Linux 2.6.19)."),
    row("/proc/meminfo SUnreclaim", "memory_slab_unreclaimable_bytes", "Unreclaimable slab memory",
        "Kernel objects that cannot be dropped (Linux 2.6.19)."),
    row("/proc/meminfo KernelStack", "memory_kernel_stack_bytes", "Kernel stacks",
        "Kernel stacks of all tasks (Linux 2.6.32)."),
    row("/proc/meminfo PageTables", "memory_page_tables_bytes", "Page tables",
        "Lowest level of the page tables (Linux 2.6.18)."),
    row("/proc/meminfo SecPageTables", "memory_secondary_page_tables_bytes",
        "Secondary page tables",
        "Page tables by which virtual machines and devices reach memory (Linux 6.1)."),
    row("/proc/meminfo NFS_Unstable", "memory_nfs_unstable_bytes", "Unstable NFS pages",
        "Memory sent to NFS servers that is not yet on their disks; 0 since Linux 5.8."),
    row("/proc/meminfo Bounce", "memory_bounce_bytes", "Bounce buffers",
        "Copies for disks that cannot reach all memory."),
    row("/proc/meminfo WritebackTmp", "memory_writeback_temporary_bytes", "FUSE writeback buffers",
        "Buffers of FUSE while it writes back (Linux 2.6.26)."),
    fact(row("/proc/meminfo CommitLimit", "memory_commit_limit_bytes", "Memory commit limit",
             "What may be allocated in all where overcommit is forbidden (Linux 2.6.10).")),
    row("/proc/meminfo Committed_AS", "memory_committed_bytes", "Committed memory",
        "Memory promised to programs, whether touched or not."),
    fact(row("/proc/meminfo VmallocTotal", "memory_vmalloc_space_bytes",
             "Space for kernel virtual allocations", "Addresses that vmalloc() can hand out.")),
    row("/proc/meminfo VmallocChunk", "memory_vmalloc_chunk_bytes",
        "Largest free kernel virtual space",
        "Largest free block of these addresses; 0 since Linux 4.4."),
    row("/proc/meminfo VmallocUsed", "memory_vmalloc_bytes", "Kernel virtual allocations",
        "Memory allocated by vmalloc(); 0 from Linux 4.4 to 5.2."),
    row("/proc/meminfo Percpu", "memory_percpu_bytes", "Per-core kernel memory",
        "Memory of the kernel's per-core allocator (Linux 5.0)."),
    event(row("/proc/meminfo HardwareCorrupted", "memory_hardware_corrupted_bytes_total",
              "Corrupted memory",
              "Memory that the kernel found corrupted and no longer uses (Linux 2.6.32).", 50)),
    row("/proc/meminfo AnonHugePages", "memory_anonymous_huge_bytes", "Transparent huge pages",
        "Memory of programs in transparent huge pages (Linux 2.6.38)."),
    row("/proc/meminfo ShmemHugePages", "memory_shared_huge_bytes", "Shared memory in huge pages",
        "Shared memory and tmpfs in huge pages (Linux 4.8)."),
    row("/proc/meminfo ShmemPmdMapped", "memory_shared_huge_mapped_bytes",
        "Shared memory mapped as huge pages",
        "Shared memory and tmpfs that programs map as huge pages (Linux 4.8)."),
    row("/proc/meminfo FileHugePages", "memory_file_huge_bytes", "Page cache in huge pages",
        "Page cache of files in huge pages (Linux 5.4)."),
    row("/proc/meminfo FilePmdMapped", "memory_file_huge_mapped_bytes",
        "Page cache mapped as huge pages",
        "Page cache of files that programs map as huge pages (Linux 5.4)."),
    row("/proc/meminfo Balloon", "memory_balloon_bytes", "Memory given back to the hypervisor",
        "Memory that the hypervisor has taken from this virtual machine by its balloon (Linux "
        "6.16).",
        60),
    pages(row("/proc/meminfo HugePages_Total", "memory_huge_pool_pages", "Huge page pool",
              "Huge pages in the pool of the default size.", 40)),
    pages(row("/proc/meminfo HugePages_Free", "memory_huge_free_pages", "Free huge pages",
              "Huge pages of the pool that are not allocated.", 40)),
    pages(row("/proc/meminfo HugePages_Rsvd", "memory_huge_reserved_pages", "Reserved huge pages",
              "Huge pages promised but not yet allocated.")),
    pages(row("/proc/meminfo HugePages_Surp", "memory_huge_surplus_pages", "Surplus huge pages",
              "Huge pages above the configured size of the pool.")),
    fact(row("/proc/meminfo Hugepagesize", "memory_huge_page_size_bytes", "Huge page size",
             "The default size of a huge page.")),
    row("/proc/meminfo Hugetlb", "memory_hugetlb_bytes", "Huge page pool memory",
        "Memory of huge page pools of all sizes (Linux 4.19).", 150),
    row("/proc/meminfo DirectMap4k", "memory_direct_map_4k_bytes", "Kernel map in 4 KiB pages",
        "Memory that the kernel maps for itself in 4 KiB pages; grows as large pages are split."),
    row("/proc/meminfo DirectMap2M", "memory_direct_map_2m_bytes", "Kernel map in 2 MiB pages",
        "Memory that the kernel maps for itself in 2 MiB pages."),
    row("/proc/meminfo DirectMap1G", "memory_direct_map_1g_bytes", "Kernel map in 1 GiB pages",
        "Memory that the kernel maps for itself in 1 GiB pages."),
};

std::vector<MetricDescriptor> meminfo_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_meminfo() {
  return std::make_unique<KeyedCollector<procfs::KeyedLayout, procfs::kOneRecord>>(
      "meminfo", meminfo_metrics());
}

}  // namespace

extern const CollectorDescriptor kMeminfoCollector = {
    .name = "meminfo",
    .help = "what memory is used for",
    .make = make_meminfo,
    .metrics = meminfo_metrics,
};

}  // namespace reveal::collect
