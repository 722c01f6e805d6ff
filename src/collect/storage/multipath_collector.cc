// Disks that are reached by several paths (device-mapper multipath): how many paths each has, and
// how many of them do not work. With fewer paths a disk is slower, and with none it hangs.
//
// A path is a disk below /sys/block/dm-*/slaves, and works if its driver says "running" (SCSI) or
// "live" (NVMe). Which paths multipathd has taken out is told by ioctl() to root only; these
// states are what it goes by.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/scanned_collector.h"
#include "procfs/folder.h"
#include "procfs/small_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using procfs::Value;

constexpr std::string_view kFolder = "block";
constexpr std::size_t kMaxDisks = 4096;
constexpr std::size_t kMaxMaps = 256;
constexpr std::size_t kMaxPaths = 64;  // of one map

// States of SCSI devices and NVMe controllers, as their drivers name them.
constexpr std::array<std::string_view, 2> kWorking = {"running", "live"};
constexpr std::array<std::string_view, 14> kBroken = {
    "created",           "cancel",   "deleted",          "quiesce", "offline",
    "transport-offline", "blocked",  "created-blocked",  "new",     "resetting",
    "connecting",        "deleting", "deleting (no IO)", "dead"};

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kStorage,
    .scope = model::Scope::kDisk,
    .doc_url = "https://docs.kernel.org/admin-guide/device-mapper/index.html"};

constexpr std::size_t kPaths = 0;
constexpr std::size_t kFailed = 1;
constexpr std::size_t kSuspended = 2;
constexpr MetricDescriptor kMetrics[] = {
    describe(kOrigin, {.name = "storage_multipath_paths",
                       .label = "Paths to a disk",
                       .unit = "paths",
                       .source = "/sys/block/*/slaves paths",
                       .alias = "multipath paths",
                       .help = "Paths by which the disk can be reached, failed ones among them.",
                       .rank = 60}),
    describe(kOrigin, {.name = "storage_multipath_failed_paths",
                       .label = "Failed paths to a disk",
                       .unit = "paths",
                       .source = "/sys/block/*/slaves/*/device/state",
                       .alias = "multipath failed",
                       .help = "Paths whose driver says that they do not work.",
                       .rank = 20}),
    describe(kOrigin, {.name = "storage_multipath_suspended_flag",
                       .label = "Disk with several paths is suspended",
                       .unit = "flag",
                       .source = "/sys/block/*/dm/suspended",
                       .alias = "suspended",
                       .help = "1 while all I/O to the disk is held back.",
                       .rank = 40}),
};

class Map {
 public:
  Map(const std::string& folder, std::string instance, std::span<const MetricDescriptor> metrics)
      : slaves_(folder + "/slaves"),
        suspended_(folder + "/dm/suspended"),
        channels_(metrics, std::move(instance)) {}

  void read(FrameWriter& writer) {
    channels_.set(writer, kSuspended, procfs::read_number(suspended_));
    std::uint64_t paths = 0;
    std::uint64_t failed = 0;
    bool all_known = true;
    const bool listed = procfs::for_each_name(slaves_, kMaxPaths, [&](std::string_view name) {
      ++paths;
      const Value works = path_works(name);
      all_known = all_known && works.has_value();
      if (works == 0) ++failed;
    });
    if (!listed || paths == 0) return;
    channels_.set(writer, kPaths, Value(paths));
    if (all_known) channels_.set(writer, kFailed, Value(failed));
  }

  std::optional<base::Error> error_of(std::size_t) const { return std::nullopt; }

 private:
  Value path_works(std::string_view name) {
    path_.assign(slaves_).append("/").append(name).append("/device/state");
    std::array<char, 64> buffer{};
    const auto line = procfs::first_line(procfs::read_small_file(path_, buffer));
    if (!line) return std::nullopt;
    if (std::ranges::find(kWorking, *line) != kWorking.end()) return 1;
    if (std::ranges::find(kBroken, *line) != kBroken.end()) return 0;
    return std::nullopt;
  }

  std::string slaves_;
  std::string suspended_;
  InstanceChannels channels_;
  std::string path_;
};

// A map goes by the name that it was given, such as "mpatha".
std::vector<Map> scan(const procfs::HostRoot& root, std::span<const MetricDescriptor> metrics) {
  const std::string folder = root.sys_path(kFolder);
  std::vector<Map> out;
  for (const auto& name : procfs::names_in(folder, kMaxDisks)) {
    if (out.size() == kMaxMaps) break;
    if (!name.starts_with("dm-")) continue;
    const std::string disk = fmt::format("{}/{}", folder, name);
    if (!procfs::read_line(disk + "/dm/uuid").starts_with("mpath-")) continue;
    const std::string given = instance_text(procfs::read_line(disk + "/dm/name"));
    out.emplace_back(disk, fmt::format("dev={},map={}", name, given), metrics);
  }
  return out;
}

std::vector<MetricDescriptor> multipath_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_multipath() {
  return std::make_unique<ScannedCollector<Map>>(
      multipath_metrics(), ScannedSource<Map>{.scan = scan,
                                              .watched = {kFolder},
                                              .none = "no disk with several paths",
                                              .remedy = "if there is one, start multipathd"});
}

}  // namespace

extern const CollectorDescriptor kMultipathCollector = {
    .name = "multipath",
    .help = "paths per disk of device-mapper multipath",
    .make = make_multipath,
    .metrics = multipath_metrics,
    .poll_class = PollClass::kMedium,
    // A file for each path: some hosts have thousands.
    .may_block = true,
};

}  // namespace reveal::collect
