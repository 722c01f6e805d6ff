// /sys/block/bcache*/bcache: slow disks behind a fast one that caches them. What misses the cache
// waits for the slow disk; dirty data must still be written there.
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/file_rows.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/scanned_collector.h"
#include "collect/storage/disk_folders.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr std::string_view kFolder = "block";
constexpr std::size_t kMaxDisks = 4096;
constexpr std::size_t kMaxCached = 64;

// The driver writes sizes for people, to a tenth: "0.0k", "512", "1.5G".
std::optional<double> written_size(std::string_view text) {
  const auto line = procfs::first_line(text);
  if (!line) return std::nullopt;
  double number = 0.0;
  const char* end = line->data() + line->size();
  const auto [stop, error] = std::from_chars(line->data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || !(number >= 0.0)) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.empty()) return number;
  constexpr std::string_view kUnits = "kMGTPE";
  const auto power = kUnits.find(unit.front());
  if (unit.size() != 1 || power == std::string_view::npos) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) number *= 1024.0;
  return number;
}

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kStorage,
                                  .scope = model::Scope::kDisk,
                                  .doc_url = "https://docs.kernel.org/admin-guide/bcache.html"};

constexpr FileRow counter(std::string_view source, std::string_view name, std::string_view label,
                          std::string_view help, std::int16_t rank) {
  return {describe(kOrigin, {.name = name,
                             .label = label,
                             .unit = "requests",
                             .kind = Kind::kCounter,
                             .source = source,
                             .alias = source.substr(source.rfind('/') + 1),
                             .help = help,
                             .rank = rank})};
}

constexpr FileRow kRows[] = {
    counter("/sys/block/*/bcache/stats_total/cache_hits", "storage_bcache_hits_total",
            "Bcache hits", "Requests that the cache served.", 60),
    counter("/sys/block/*/bcache/stats_total/cache_misses", "storage_bcache_misses_total",
            "Bcache misses", "Requests that went to the slow disk.", 50),
    counter("/sys/block/*/bcache/stats_total/cache_bypass_hits", "storage_bcache_bypass_hits_total",
            "Bcache hits beside the cache",
            "Requests that were to go past the cache and found their data in it.", 100),
    counter("/sys/block/*/bcache/stats_total/cache_bypass_misses",
            "storage_bcache_bypass_misses_total", "Bcache misses beside the cache",
            "Requests that were to go past the cache, and did.", 100),
    {describe(kOrigin, {.name = "storage_bcache_dirty_bytes",
                        .label = "Dirty data of bcache",
                        .unit = "bytes",
                        .repr = model::Repr::kF64,
                        .source = "/sys/block/*/bcache/dirty_data",
                        .alias = "dirty_data",
                        .help = "Data in the cache that the slow disk does not have yet.",
                        .rank = 60}),
     nullptr, written_size},
};

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  const std::string folder = root.sys_path(kFolder);
  std::vector<DeviceFiles> out;
  for (const auto& name : procfs::names_in(folder, kMaxDisks)) {
    if (out.size() == kMaxCached) break;
    if (!name.starts_with("bcache")) continue;
    add_file_rows(kRows, 0, fmt::format("{}/{}", folder, name),
                  out.emplace_back(metrics, disk_instance(name)));
  }
  return out;
}

std::vector<MetricDescriptor> bcache_metrics() {
  return metrics_of({kRows});
}

std::unique_ptr<Collector> make_bcache() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      bcache_metrics(),
      ScannedSource<DeviceFiles>{
          .scan = scan, .watched = {kFolder}, .none = "no disk is cached by bcache", .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kBcacheCollector = {
    .name = "bcache",
    .help = "hits, misses and dirty data per disk of bcache",
    .make = make_bcache,
    .metrics = bcache_metrics,
    .poll_class = PollClass::kSlow,
    // Reading what is dirty waits for a lock that is held while a cache is set up.
    .may_block = true,
};

}  // namespace reveal::collect
