// /sys/fs/xfs/*/stats/stats: each mounted XFS file system, the bytes that go through it and the
// waits for its log and its buffers, which are what slows many small writes.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/scanned_collector.h"
#include "procfs/xfs_stats.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr std::string_view kFolder = "fs/xfs";
constexpr std::size_t kMaxFileSystems = 64;

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kStorage,
                                  .scope = model::Scope::kDevice,
                                  .doc_url = "https://docs.kernel.org/admin-guide/xfs.html"};

constexpr MetricDescriptor row(std::string_view source, std::string_view alias,
                               std::string_view unit, std::uint8_t bits, std::string_view name,
                               std::string_view label, std::string_view help, std::int16_t rank) {
  return describe(kOrigin, {.name = name,
                            .label = label,
                            .unit = unit,
                            .kind = Kind::kCounter,
                            .counter_bits = bits,
                            .source = source,
                            .alias = alias,
                            .help = help,
                            .rank = rank});
}

constexpr MetricDescriptor kMetrics[] = {
    row("/sys/fs/xfs/*/stats/stats xpc read", "xs_read_bytes", "bytes", 64,
        "storage_xfs_read_bytes_total", "Bytes read through XFS",
        "Bytes that programs read from files, out of the page cache or not.", 60),
    row("/sys/fs/xfs/*/stats/stats xpc written", "xs_write_bytes", "bytes", 64,
        "storage_xfs_written_bytes_total", "Bytes written through XFS",
        "Bytes that programs wrote to files.", 60),
    row("/sys/fs/xfs/*/stats/stats log writes", "xs_log_writes", "writes", 32,
        "storage_xfs_log_writes_total", "XFS log writes", "Buffers of the log that were written.",
        80),
    row("/sys/fs/xfs/*/stats/stats log waits", "xs_log_noiclogs", "waits", 32,
        "storage_xfs_log_buffer_waits_total", "Waits for a buffer of the XFS log",
        "Times that a transaction found no free buffer of the log.", 40),
    row("/sys/fs/xfs/*/stats/stats log forces", "xs_log_force", "writes", 32,
        "storage_xfs_log_forces_total", "Forced XFS log writes",
        "Times that the log had to be written out at once, as for fsync().", 80),
    row("/sys/fs/xfs/*/stats/stats log forced_sleeps", "xs_log_force_sleep", "waits", 32,
        "storage_xfs_log_force_waits_total", "Waits for a forced XFS log write",
        "Times that somebody slept until the log was written out.", 60),
    row("/sys/fs/xfs/*/stats/stats push_ail sleeps", "xs_sleep_logspace", "waits", 32,
        "storage_xfs_log_space_waits_total", "Waits for room in the XFS log",
        "Times that a transaction slept because the log was full.", 40),
    row("/sys/fs/xfs/*/stats/stats buf locked_waits", "xb_get_locked_waited", "waits", 32,
        "storage_xfs_buffer_waits_total", "Waits for a locked XFS buffer",
        "Times that somebody slept for a metadata buffer that another had locked.", 60),
};

class FileSystem {
 public:
  FileSystem(std::string path, std::string instance, std::span<const MetricDescriptor> metrics)
      : file_(std::move(path)),
        layout_(keys_of(metrics)),
        values_(metrics.size()),
        channels_(metrics, std::move(instance)) {}

  void read(FrameWriter& writer) {
    procfs::AttributeBuffer buffer;
    const auto text = file_.read(buffer);
    if (!text) return;
    layout_.read(*text, values_);
    for (std::size_t row = 0; row < values_.size(); ++row) {
      channels_.set(writer, row, values_[row]);
    }
  }

  std::optional<base::Error> error_of(std::size_t) const {
    if (file_.error() == 0) return std::nullopt;
    return base::fail_errno(file_.error(), "cannot be read", file_.path()).value();
  }

 private:
  procfs::AttributeFile file_;
  procfs::XfsLayout layout_;
  std::vector<procfs::Value> values_;
  InstanceChannels channels_;
};

// Beside the file systems stands "stats", the sum of all since the module was loaded.
std::vector<FileSystem> scan(const procfs::HostRoot& root,
                             std::span<const MetricDescriptor> metrics) {
  const std::string folder = root.sys_path(kFolder);
  std::vector<FileSystem> out;
  for (const auto& name : procfs::names_in(folder, kMaxFileSystems)) {
    std::string path = fmt::format("{}/{}/stats/stats", folder, name);
    if (procfs::resolved(path).empty()) continue;
    out.emplace_back(std::move(path), fmt::format("dev={}", instance_text(name)), metrics);
  }
  return out;
}

std::vector<MetricDescriptor> xfs_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_xfs() {
  return std::make_unique<ScannedCollector<FileSystem>>(
      xfs_metrics(), ScannedSource<FileSystem>{.scan = scan,
                                               .watched = {kFolder},
                                               .none = "no XFS file system is mounted",
                                               .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kXfsCollector = {
    .name = "xfs",
    .help = "bytes, log and waits per XFS file system",
    .make = make_xfs,
    .metrics = xfs_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
