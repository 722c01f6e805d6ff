// /sys/fs/btrfs: errors of each device of a btrfs file system, devices that are missing, and the
// time that commits take, for which all writers of the file system wait.
//
// A file system goes by the first eight characters of its id, or by all of it if another one has
// the same; a device by its number. Devices may be added and removed while it is mounted.
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/file_rows.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/scanned_collector.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::Value;

constexpr std::string_view kFolder = "fs/btrfs";
constexpr std::size_t kMaxFileSystems = 64;
constexpr std::size_t kMaxDevices = 64;  // of one file system
constexpr std::size_t kIdLength = 36;    // 5f3c1a2b-....
constexpr std::size_t kShortId = 8;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kStorage,
    .scope = model::Scope::kDevice,
    .doc_url = "https://btrfs.readthedocs.io/en/latest/ch-sysfs.html"};

Value write_errors(std::string_view text) {
  return procfs::value_of_key(text, "write_errs");
}
Value read_errors(std::string_view text) {
  return procfs::value_of_key(text, "read_errs");
}
Value flush_errors(std::string_view text) {
  return procfs::value_of_key(text, "flush_errs");
}
Value corruption_errors(std::string_view text) {
  return procfs::value_of_key(text, "corruption_errs");
}
Value generation_errors(std::string_view text) {
  return procfs::value_of_key(text, "generation_errs");
}
Value commits(std::string_view text) {
  return procfs::value_of_key(text, "commits");
}
Value commit_ms(std::string_view text) {
  return procfs::value_of_key(text, "total_commit_ms");
}

constexpr FileRow errors(ReadWhole read, std::string_view source, std::string_view name,
                         std::string_view label, std::string_view help) {
  return {describe(kOrigin, {.name = name,
                             .label = label,
                             .unit = "errors",
                             .kind = Kind::kEvent,
                             .counter_bits = 32,
                             .source = source,
                             .alias = source.substr(source.rfind(' ') + 1),
                             .help = help,
                             .rank = 30}),
          read};
}

constexpr FileRow kDeviceRows[] = {
    errors(write_errors, "/sys/fs/btrfs/*/devinfo/*/error_stats write_errs",
           "storage_btrfs_write_errors_total", "Btrfs write errors",
           "Writes to the device that failed (Linux 5.14)."),
    errors(read_errors, "/sys/fs/btrfs/*/devinfo/*/error_stats read_errs",
           "storage_btrfs_read_errors_total", "Btrfs read errors",
           "Reads from the device that failed (Linux 5.14)."),
    errors(flush_errors, "/sys/fs/btrfs/*/devinfo/*/error_stats flush_errs",
           "storage_btrfs_flush_errors_total", "Btrfs flush errors",
           "Flushes of the device that failed (Linux 5.14)."),
    errors(corruption_errors, "/sys/fs/btrfs/*/devinfo/*/error_stats corruption_errs",
           "storage_btrfs_corruption_errors_total", "Btrfs corrupted blocks",
           "Blocks whose checksum or content was wrong (Linux 5.14)."),
    errors(generation_errors, "/sys/fs/btrfs/*/devinfo/*/error_stats generation_errs",
           "storage_btrfs_generation_errors_total", "Btrfs outdated blocks",
           "Blocks that an earlier write should have replaced (Linux 5.14)."),
    {describe(kOrigin, {.name = "storage_btrfs_missing_flag",
                        .label = "Btrfs device is missing",
                        .unit = "flag",
                        .source = "/sys/fs/btrfs/*/devinfo/*/missing",
                        .alias = "missing",
                        .help = "1 while the device is missing (Linux 5.6).",
                        .rank = 40})},
};
constexpr FileRow kSystemRows[] = {
    {describe(kOrigin, {.name = "storage_btrfs_commits_total",
                        .label = "Btrfs commits",
                        .unit = "commits",
                        .kind = Kind::kCounter,
                        .source = "/sys/fs/btrfs/*/commit_stats commits",
                        .alias = "commits",
                        .help = "Transactions that were committed (Linux 6.0).",
                        .rank = 80}),
     commits},
    {describe(kOrigin, {.name = "storage_btrfs_commit_seconds_total",
                        .label = "Time of btrfs commits",
                        .unit = "seconds",
                        .kind = Kind::kCounter,
                        .scale = 1e-3,
                        .source = "/sys/fs/btrfs/*/commit_stats total_commit_ms",
                        .alias = "total_commit_ms",
                        .help = "Time that commits took (Linux 6.0).",
                        .rank = 60}),
     commit_ms},
};
constexpr std::size_t kFirstSystemRow = std::size(kDeviceRows);

// Returns the ids of the mounted file systems.
std::vector<std::string> ids_in(const std::string& folder) {
  auto out = procfs::names_in(folder, kMaxFileSystems);
  std::erase_if(out, [](const std::string& name) { return name.size() != kIdLength; });  // features
  return out;
}

std::string devices_of(const std::string& folder, std::string_view id) {
  return fmt::format("{}/{}/devinfo", folder, id);
}

void add_file_system(const std::string& folder, std::string_view id, std::string_view name,
                     std::span<const MetricDescriptor> metrics, std::vector<DeviceFiles>& out) {
  const std::string instance = fmt::format("fs={}", instance_text(name));
  add_file_rows(kSystemRows, kFirstSystemRow, fmt::format("{}/{}", folder, id),
                out.emplace_back(metrics, instance));
  const std::string devices = devices_of(folder, id);
  for (const auto& number : procfs::names_in(devices, kMaxDevices)) {
    DeviceFiles& device =
        out.emplace_back(metrics, fmt::format("{},device={}", instance, instance_text(number)));
    add_file_rows(kDeviceRows, 0, fmt::format("{}/{}", devices, number), device);
  }
}

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  const std::string folder = root.sys_path(kFolder);
  std::vector<DeviceFiles> out;
  std::set<std::string_view> taken;
  const auto ids = ids_in(folder);
  for (const std::string& id : ids) {
    const std::string_view start = std::string_view(id).substr(0, kShortId);
    add_file_system(folder, id, taken.insert(start).second ? start : id, metrics, out);
  }
  return out;
}

// Devices are added to a mounted file system, and removed from it.
std::vector<std::string> devices_watched(const procfs::HostRoot& root) {
  const std::string folder = root.sys_path(kFolder);
  auto out = ids_in(folder);
  for (std::string& id : out) id = devices_of(folder, id);
  return out;
}

std::vector<MetricDescriptor> btrfs_metrics() {
  return metrics_of({kDeviceRows, kSystemRows});
}

std::unique_ptr<Collector> make_btrfs() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      btrfs_metrics(), ScannedSource<DeviceFiles>{.scan = scan,
                                                  .watched = {kFolder},
                                                  .watched_inside = devices_watched,
                                                  .none = "no btrfs file system is mounted",
                                                  .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kBtrfsCollector = {
    .name = "btrfs",
    .help = "errors per device, and commits, of btrfs file systems",
    .make = make_btrfs,
    .metrics = btrfs_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
