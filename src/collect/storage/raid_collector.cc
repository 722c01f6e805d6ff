// /sys/block/md*/md: what Linux's software RAID does beside the programs' own I/O. A resync, a
// rebuild after a disk failed or a monthly check reads all disks of the array, and whoever waits
// for these disks waits longer. How many disks an array lacks is among the rows of disk_queue.
// https://docs.kernel.org/admin-guide/md.html
#include <array>
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

using model::MetricDescriptor;
using procfs::Value;

constexpr std::string_view kFolder = "block";
constexpr std::size_t kMaxDisks = 4096;
constexpr std::size_t kMaxArrays = 64;

// In the order of the numbers that storage_raid_sync_action has.
constexpr std::array<std::string_view, 7> kActions = {"idle",   "resync",  "recover", "check",
                                                      "repair", "reshape", "frozen"};
constexpr std::uint64_t kIdle = 0;
constexpr std::uint64_t kFrozen = 6;

Value sync_action(std::string_view text) {
  const auto line = procfs::first_line(text);
  for (std::uint64_t i = 0; i < kActions.size(); ++i) {
    if (line == kActions[i]) return i;
  }
  return std::nullopt;
}

Value sync_active(std::string_view text) {
  const auto action = sync_action(text);
  if (!action) return std::nullopt;
  return *action == kIdle || *action == kFrozen ? 0 : 1;
}

// "none" while nothing is synchronized.
Value sync_speed(std::string_view text) {
  if (procfs::first_line(text) == "none") return 0;
  return procfs::parse_whole(text);
}

// "1234 / 5678" of sectors; "none", "delayed" and "pending" say no share.
std::optional<double> sync_done(std::string_view text) {
  const auto line = procfs::first_line(text);
  if (!line) return std::nullopt;
  procfs::WordCursor words(*line);
  Value done;
  std::string_view slash;
  Value all;
  if (!words.next(done) || !words.next(slash) || slash != "/" || !words.next(all)) {
    return std::nullopt;
  }
  if (!done || !all || *all == 0 || *done > *all) return std::nullopt;
  return static_cast<double>(*done) / static_cast<double>(*all);
}

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kStorage,
                                  .scope = model::Scope::kDisk,
                                  .doc_url = "https://docs.kernel.org/admin-guide/md.html"};

constexpr FileRow kRows[] = {
    {describe(kOrigin, {.name = "storage_raid_sync_active_flag",
                        .label = "RAID array is being synchronized",
                        .unit = "flag",
                        .source = "/sys/block/*/md/sync_action active",
                        .alias = "sync_action != idle",
                        .help = "1 while the array is rebuilt, checked, repaired or reshaped, all "
                                "of which read or write its disks, or waits for another array "
                                "on the same disks.",
                        .rank = 20}),
     sync_active},
    {describe(kOrigin, {.name = "storage_raid_sync_action",
                        .label = "RAID synchronization",
                        .unit = "state",
                        .source = "/sys/block/*/md/sync_action",
                        .alias = "sync_action",
                        .help = "0 idle, 1 resync, 2 recover, 3 check, 4 repair, 5 reshape, 6 "
                                "frozen.",
                        .rank = 60}),
     sync_action},
    {describe(kOrigin, {.name = "storage_raid_sync_bytes_per_second",
                        .label = "Speed of a RAID synchronization",
                        .unit = "bytes/s",
                        .scale = 1024,
                        .source = "/sys/block/*/md/sync_speed",
                        .alias = "sync_speed",
                        .help = "What a resync, rebuild or check reads of each disk, over the last "
                                "half minute; 0 while there is none.",
                        .rank = 40}),
     sync_speed},
    {describe(kOrigin, {.name = "storage_raid_sync_done_ratio",
                        .label = "Progress of a RAID synchronization",
                        .unit = "ratio",
                        .repr = model::Repr::kF64,
                        .source = "/sys/block/*/md/sync_completed",
                        .alias = "sync_completed",
                        .help = "Share of the array that is done; no value while there is nothing "
                                "to do.",
                        .rank = 80}),
     nullptr, sync_done},
    {describe(kOrigin, {.name = "storage_raid_mismatch_sectors",
                        .label = "Sectors of a RAID array that differ",
                        .unit = "sectors",
                        .source = "/sys/block/*/md/mismatch_cnt",
                        .alias = "mismatch_cnt",
                        .help = "Sectors that the last check or repair found to differ between "
                                "disks.",
                        .rank = 80})},
};

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  const std::string folder = root.sys_path(kFolder);
  std::vector<DeviceFiles> out;
  for (const auto& name : procfs::names_in(folder, kMaxDisks)) {
    if (out.size() == kMaxArrays) break;
    const std::string disk = fmt::format("{}/{}", folder, name);
    if (procfs::resolved(disk + "/md").empty()) continue;
    add_file_rows(kRows, 0, disk, out.emplace_back(metrics, disk_instance(name)));
  }
  return out;
}

std::vector<MetricDescriptor> raid_metrics() {
  return metrics_of({kRows});
}

std::unique_ptr<Collector> make_raid() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      raid_metrics(), ScannedSource<DeviceFiles>{.scan = scan,
                                                 .watched = {kFolder},
                                                 .none = "no RAID array that could be synchronized",
                                                 .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kRaidCollector = {
    .name = "raid",
    .help = "rebuilds and checks of software RAID arrays",
    .make = make_raid,
    .metrics = raid_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
