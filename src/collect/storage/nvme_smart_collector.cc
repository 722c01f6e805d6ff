// The SMART log of each NVMe drive: errors, wear, and how long heat held it back. Asking takes
// CAP_SYS_ADMIN and a command to the drive, which a drive in trouble answers late, so it is done
// only if the configuration asks for it, seldom, and off the tick.
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>

#include "base/unique_fd.h"
#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/scanned_collector.h"
#include "collect/storage/nvme_smart.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::NvmeSmartLog;

using Row = MetricRow<procfs::Value NvmeSmartLog::*>;

constexpr std::string_view kFolder = "class/nvme";

constexpr Row row(procfs::Value NvmeSmartLog::*field, Kind kind, std::string_view unit,
                  double scale, std::string_view source, std::string_view alias,
                  std::string_view name, std::string_view label, std::string_view help,
                  std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kStorage;
  out.scope = model::Scope::kDisk;
  out.scale = scale;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://nvmexpress.org/specifications/";
  out.help = help;
  out.rank = rank;
  return {field, out};
}

constexpr Row bits32(Row out) {
  out.metric.counter_bits = 32;
  return out;
}

constexpr Row kRows[] = {
    row(&NvmeSmartLog::critical_warning, Kind::kGauge, "bits", 1, "NVMe SMART log byte 0",
        "critical_warning", "storage_nvme_warning_bits", "NVMe critical warnings",
        "Bits of what is wrong now: 1 spare, 2 temperature, 4 reliability, 8 read-only, 16 backup.",
        10),
    row(&NvmeSmartLog::media_errors, Kind::kEvent, "errors", 1, "NVMe SMART log bytes 160-175",
        "media_errors", "storage_nvme_media_errors_total", "NVMe media errors",
        "Times that the drive found data that it could not correct.", 10),
    row(&NvmeSmartLog::error_log_entries, Kind::kEvent, "entries", 1,
        "NVMe SMART log bytes 176-191", "num_err_log_entries", "storage_nvme_error_entries_total",
        "NVMe error log entries", "Errors that the drive has logged over its life.", 40),
    row(&NvmeSmartLog::percentage_used, Kind::kGauge, "ratio", 0.01, "NVMe SMART log byte 5",
        "percentage_used", "storage_nvme_wear_ratio", "NVMe wear",
        "Share of its rated life that the drive has used; may exceed 1.", 60),
    row(&NvmeSmartLog::available_spare_percent, Kind::kGauge, "ratio", 0.01,
        "NVMe SMART log byte 3", "available_spare", "storage_nvme_spare_ratio",
        "NVMe spare capacity", "Share of the spare capacity that is left.", 40),
    row(&NvmeSmartLog::spare_threshold_percent, Kind::kStatic, "ratio", 0.01,
        "NVMe SMART log byte 4", "available_spare_threshold", "storage_nvme_spare_threshold_ratio",
        "NVMe spare threshold", "Share of spare capacity below which the drive warns.", 150),
    row(&NvmeSmartLog::unsafe_shutdowns, Kind::kEvent, "shutdowns", 1,
        "NVMe SMART log bytes 144-159", "unsafe_shutdowns", "storage_nvme_unsafe_shutdowns_total",
        "NVMe unsafe shutdowns", "Times that the drive lost power without notice.", 120),
    row(&NvmeSmartLog::power_cycles, Kind::kEvent, "cycles", 1, "NVMe SMART log bytes 112-127",
        "power_cycles", "storage_nvme_power_cycles_total", "NVMe power cycles",
        "Times that the drive was switched on.", 150),
    row(&NvmeSmartLog::power_on_hours, Kind::kCounter, "seconds", 3600,
        "NVMe SMART log bytes 128-143", "power_on_hours", "storage_nvme_power_on_seconds_total",
        "NVMe power-on time", "Time that the drive has been switched on, in whole hours.", 200),
    row(&NvmeSmartLog::busy_minutes, Kind::kCounter, "seconds", 60, "NVMe SMART log bytes 96-111",
        "controller_busy_time", "storage_nvme_busy_seconds_total", "NVMe busy time",
        "Time in which the drive had commands to work on, in whole minutes.", 100),
    row(&NvmeSmartLog::data_units_read, Kind::kCounter, "bytes", 512000,
        "NVMe SMART log bytes 32-47", "data_units_read", "storage_nvme_read_bytes_total",
        "NVMe data read", "Data that the host read, in units of 512,000 bytes.", 150),
    row(&NvmeSmartLog::data_units_written, Kind::kCounter, "bytes", 512000,
        "NVMe SMART log bytes 48-63", "data_units_written", "storage_nvme_written_bytes_total",
        "NVMe data written", "Data that the host wrote, in units of 512,000 bytes.", 150),
    bits32(row(&NvmeSmartLog::throttle1_seconds, Kind::kCounter, "seconds", 1,
               "NVMe SMART log bytes 224-227", "thm_temp1_total_time",
               "storage_nvme_light_throttle_seconds_total", "NVMe light thermal throttling",
               "Time in which heat held the drive back lightly.", 20)),
    bits32(row(&NvmeSmartLog::throttle2_seconds, Kind::kCounter, "seconds", 1,
               "NVMe SMART log bytes 228-231", "thm_temp2_total_time",
               "storage_nvme_heavy_throttle_seconds_total", "NVMe heavy thermal throttling",
               "Time in which heat held the drive back heavily.", 10)),
    bits32(row(&NvmeSmartLog::throttle1_transitions, Kind::kEvent, "transitions", 1,
               "NVMe SMART log bytes 216-219", "thm_temp1_trans_count",
               "storage_nvme_light_throttles_total", "NVMe light thermal throttles",
               "Times that heat began to hold the drive back lightly.", 40)),
    bits32(row(&NvmeSmartLog::throttle2_transitions, Kind::kEvent, "transitions", 1,
               "NVMe SMART log bytes 220-223", "thm_temp2_trans_count",
               "storage_nvme_heavy_throttles_total", "NVMe heavy thermal throttles",
               "Times that heat began to hold the drive back heavily.", 30)),
    bits32(row(&NvmeSmartLog::warning_temperature_minutes, Kind::kCounter, "seconds", 60,
               "NVMe SMART log bytes 192-195", "warning_temp_time",
               "storage_nvme_hot_seconds_total", "NVMe time above its warning temperature",
               "Time above the warning temperature, in whole minutes.", 40)),
    bits32(row(&NvmeSmartLog::critical_temperature_minutes, Kind::kCounter, "seconds", 60,
               "NVMe SMART log bytes 196-199", "critical_comp_time",
               "storage_nvme_critical_seconds_total", "NVMe time above its critical temperature",
               "Time above the critical temperature, in whole minutes.", 30)),
};

class Drive {
 public:
  Drive(std::span<const MetricDescriptor> metrics, const std::string& name, ReadNvmeSmart ask)
      : channels_(metrics, fmt::format("dev={}", instance_text(name))),
        device_("/dev/" + name),
        ask_(ask) {}

  void read(FrameWriter& writer) {
    NvmeSmartPage page{};
    error_ = ask_(device_, page);
    if (error_ != 0) return;
    const auto log = procfs::parse_nvme_smart_log(page);
    if (!log) return;
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      channels_.set(writer, i, (*log).*kRows[i].key);
    }
  }

  std::optional<base::Error> error_of(std::size_t /*row*/) const {
    if (error_ == 0) return std::nullopt;
    return base::fail_errno(error_, "cannot be asked for its SMART log", device_).value();
  }

 private:
  InstanceChannels channels_;
  std::string device_;
  ReadNvmeSmart ask_;
  int error_ = 0;
};

std::vector<Drive> scan(const procfs::HostRoot& root, std::span<const MetricDescriptor> metrics,
                        ReadNvmeSmart read) {
  constexpr std::size_t kMaxDrives = 64;
  std::vector<Drive> out;
  for (const auto& name : procfs::names_in(root.sys_path(kFolder), kMaxDrives)) {
    out.emplace_back(metrics, name, read);
  }
  return out;
}

}  // namespace

int read_nvme_smart(const std::string& device, NvmeSmartPage& page) {
  constexpr std::uint8_t kGetLogPage = 0x02;
  constexpr std::uint32_t kSmartLog = 0x02;
  constexpr std::uint32_t kWords = procfs::kNvmeSmartLogSize / 4;
  constexpr std::uint32_t kTimeoutMs = 5000;
  const base::UniqueFd fd(::open(device.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return errno;
  nvme_admin_cmd command{};
  command.opcode = kGetLogPage;
  command.nsid = 0xffffffff;  // of the controller, not of one namespace
  command.addr = reinterpret_cast<std::uintptr_t>(page.data());
  command.data_len = procfs::kNvmeSmartLogSize;
  command.cdw10 = kSmartLog | (kWords - 1) << 16;
  command.timeout_ms = kTimeoutMs;
  const int status = ::ioctl(fd.get(), NVME_IOCTL_ADMIN_CMD, &command);
  if (status < 0) return errno;
  return status == 0 ? 0 : EIO;  // above 0 it is the drive's own status: it refused
}

std::vector<MetricDescriptor> nvme_smart_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_nvme_smart(ReadNvmeSmart read, bool anywhere) {
  const auto scan_drives = [read, anywhere](const procfs::HostRoot& root,
                                            std::span<const MetricDescriptor> metrics) {
    return root.is_live() || anywhere ? scan(root, metrics, read) : std::vector<Drive>();
  };
  return std::make_unique<ScannedCollector<Drive>>(
      nvme_smart_metrics(),
      ScannedSource<Drive>{.scan = scan_drives,
                           .watched = {kFolder},
                           .none = "no NVMe drive of the running host",
                           .remedy = "",
                           .denied_remedy = "run as root, or with CAP_SYS_ADMIN"});
}

std::unique_ptr<Collector> make_nvme_smart() {
  return make_nvme_smart(read_nvme_smart, false);
}

extern const CollectorDescriptor kNvmeSmartCollector = {
    .name = "nvme_smart",
    .help = "SMART log of NVMe drives",
    .make = make_nvme_smart,
    .metrics = nvme_smart_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
    .opt_in = true,
};

}  // namespace reveal::collect
