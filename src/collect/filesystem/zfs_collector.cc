// /proc/spl/kstat/zfs/arcstats: the cache of ZFS, which is no page cache: what it holds is memory
// in use to the kernel, and it gives it back when others ask.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/metric_maker.h"
#include "procfs/kstat.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kStorage,
    .doc_url = "https://openzfs.github.io/openzfs-docs/man/master/1/arcstat.1.html"};

constexpr MetricDescriptor row(std::string_view source, Kind kind, std::string_view unit,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank) {
  return describe(kOrigin, {.name = name,
                            .label = label,
                            .unit = unit,
                            .kind = kind,
                            .source = source,
                            .alias = source.substr(source.rfind(' ') + 1),
                            .help = help,
                            .rank = rank});
}

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/spl/kstat/zfs/arcstats hits", Kind::kCounter, "reads",
        "storage_zfs_cache_hits_total", "ZFS cache hits", "Blocks that were found in the cache.",
        50),
    row("/proc/spl/kstat/zfs/arcstats misses", Kind::kCounter, "reads",
        "storage_zfs_cache_misses_total", "ZFS cache misses",
        "Blocks that had to be read from disk.", 40),
    row("/proc/spl/kstat/zfs/arcstats size", Kind::kGauge, "bytes", "storage_zfs_cache_bytes",
        "ZFS cache", "Memory that the cache takes.", 50),
    row("/proc/spl/kstat/zfs/arcstats c", Kind::kGauge, "bytes", "storage_zfs_cache_target_bytes",
        "Target of the ZFS cache", "Memory that the cache aims at; it falls when memory is short.",
        60),
    row("/proc/spl/kstat/zfs/arcstats c_max", Kind::kStatic, "bytes",
        "storage_zfs_cache_limit_bytes", "Limit of the ZFS cache",
        "The most memory that the cache takes.", 120),
    row("/proc/spl/kstat/zfs/arcstats memory_throttle_count", Kind::kEvent, "events",
        "storage_zfs_memory_throttles_total", "ZFS writes held back for memory",
        "Times that a write waited because memory was short.", 30),
    row("/proc/spl/kstat/zfs/arcstats l2_hits", Kind::kCounter, "reads",
        "storage_zfs_disk_cache_hits_total", "Hits of the ZFS cache on disk",
        "Blocks that were found on a cache device.", 80),
    row("/proc/spl/kstat/zfs/arcstats l2_misses", Kind::kCounter, "reads",
        "storage_zfs_disk_cache_misses_total", "Misses of the ZFS cache on disk",
        "Blocks that were not found on a cache device.", 80),
    row("/proc/spl/kstat/zfs/arcstats l2_io_error", Kind::kEvent, "errors",
        "storage_zfs_disk_cache_errors_total", "Errors of the ZFS cache on disk",
        "Reads of a cache device that failed.", 40),
};

std::vector<MetricDescriptor> zfs_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_zfs() {
  return std::make_unique<KeyedCollector<procfs::KstatLayout>>(
      "spl/kstat/zfs/arcstats", zfs_metrics(), "nothing to do, unless ZFS should be loaded");
}

}  // namespace

extern const CollectorDescriptor kZfsCollector = {
    .name = "zfs",
    .help = "the cache of ZFS",
    .make = make_zfs,
    .metrics = zfs_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
