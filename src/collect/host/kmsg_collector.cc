// /dev/kmsg: trouble that the kernel prints. Counted per kind since the recorder began, and each
// line is kept as an event, with its meaning if it has a code.
//
// Opened without blocking and read from the end of the ring: what was printed before the recording
// is not of it. A ring that overran while nobody read (EPIPE) is counted and read on from its
// oldest line. A storm of lines is counted in full; of the lines themselves only so many are kept.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "gpu/xid.h"
#include "procfs/kmsg.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Subsystem;
using procfs::KernelTrouble;
using procfs::TroubleLine;
using std::chrono::steady_clock;

constexpr const char* kPath = "/dev/kmsg";
constexpr std::size_t kLongestRecord = 8192;  // the kernel's own limit (CONSOLE_EXT_LOG_MAX)
constexpr int kRecordsPerReading = 2000;
constexpr std::size_t kLongestNote = 300;

struct Row {
  std::string_view subject;  // of its events; empty for the overruns
  MetricDescriptor metric;
};

constexpr Row row(Subsystem subsystem, std::string_view subject, std::string_view source,
                  std::string_view alias, std::string_view unit, std::string_view name,
                  std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kEvent;
  out.subsystem = subsystem;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/ABI/testing/dev-kmsg.html";
  out.help = help;
  out.rank = rank;
  return {subject, out};
}

constexpr Row recorder(Row out) {
  out.metric.scope = model::Scope::kRecorder;
  return out;
}

constexpr std::size_t kOverruns = procfs::kKernelTroubleCount;

// By KernelTrouble, then the overruns.
constexpr Row kRows[] = {
    row(Subsystem::kGpu, "GPU error", "/dev/kmsg NVRM: Xid", "XID", "errors",
        "gpu_kernel_xid_errors_total", "GPU errors in the kernel's log",
        "Error reports (XID) that NVIDIA's driver printed.", 15),
    row(Subsystem::kGpu, "NVSwitch error", "/dev/kmsg nvidia-nvswitch SXid", "SXID", "errors",
        "gpu_kernel_sxid_errors_total", "NVSwitch errors in the kernel's log",
        "Error reports (SXID) of NVSwitches that NVIDIA's driver printed.", 20),
    row(Subsystem::kNetwork, "mlx5 adapter", "/dev/kmsg mlx5_core health", "mlx5_health", "events",
        "network_mlx5_health_events_total", "Adapter health troubles in the kernel's log",
        "Health alarms and unfinished commands of Mellanox adapters.", 20),
    row(Subsystem::kStorage, "NVMe time-out", "/dev/kmsg nvme timeout", "nvme_timeout", "timeouts",
        "storage_nvme_timeouts_total", "NVMe time-outs in the kernel's log",
        "NVMe commands that the device did not answer in time.", 20),
    row(Subsystem::kCpu, "hardware error", "/dev/kmsg mce: [Hardware Error]", "mce", "errors",
        "cpu_hardware_errors_total", "Hardware errors in the kernel's log",
        "Machine checks and firmware error reports.", 20),
    row(Subsystem::kMemory, "out of memory", "/dev/kmsg Killed process", "oom_kill", "kills",
        "memory_kernel_oom_kills_total", "Out-of-memory kills in the kernel's log",
        "Processes that the kernel killed for want of memory.", 30),
    row(Subsystem::kCpu, "soft lockup", "/dev/kmsg soft lockup", "soft_lockup", "lockups",
        "cpu_soft_lockups_total", "Soft lockups in the kernel's log",
        "Cores that stayed in the kernel without scheduling.", 20),
    row(Subsystem::kCpu, "hung task", "/dev/kmsg blocked for more than", "hung_task", "tasks",
        "cpu_hung_tasks_total", "Hung tasks in the kernel's log",
        "Tasks that did not run for longer than the kernel's patience.", 30),
    row(Subsystem::kGpu, "PCIe error", "/dev/kmsg AER", "aer", "errors",
        "gpu_kernel_pcie_errors_total", "PCIe error reports in the kernel's log",
        "Advanced error reports of PCIe ports, of any device behind them.", 30),
    row(Subsystem::kNetwork, "link down", "/dev/kmsg Link is Down", "link_down", "events",
        "network_link_downs_total", "Link losses in the kernel's log",
        "Network links that went down.", 20),
    row(Subsystem::kStorage, "I/O error", "/dev/kmsg I/O error", "io_error", "errors",
        "storage_kernel_io_errors_total", "I/O errors in the kernel's log",
        "Requests that a block device refused.", 20),
    recorder(row(Subsystem::kCpu, "", "/dev/kmsg EPIPE", "kmsg_overrun", "overruns",
                 "cpu_kernel_log_overruns_total", "Overruns of the kernel's log",
                 "Times that lines were lost because the log was written faster than read.", 900)),
};
static_assert(std::size(kRows) == kOverruns + 1);

// Lets ten notes through at once and one more each second.
class NoteBudget {
 public:
  bool take(steady_clock::time_point now) {
    const auto earned = std::chrono::duration_cast<std::chrono::seconds>(now - filled_).count();
    if (earned > 0) {
      left_ = std::min<std::int64_t>(kMax, left_ + earned);
      filled_ = now;
    }
    if (left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  static constexpr std::int64_t kMax = 10;
  std::int64_t left_ = kMax;
  steady_clock::time_point filled_ = steady_clock::now();
};

std::string text_of(const TroubleLine& trouble, std::string_view message) {
  const auto line = message.substr(0, kLongestNote);
  if (!trouble.code) return std::string(line);
  if (trouble.trouble == KernelTrouble::kXid) {
    return fmt::format("{} on {}: {}", gpu::describe_xid(*trouble.code), trouble.device, line);
  }
  return fmt::format("SXID {} on {}: {}", *trouble.code, trouble.device, line);
}

base::Unexpected refusal(int error) {
  const bool refused = error == EPERM || error == EACCES;
  return base::fail_errno(
      error, "cannot read the kernel's log", kPath,
      refused ? "run as root, with CAP_SYSLOG, or with kernel.dmesg_restrict=0" : "");
}

class KmsgCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (!root.is_live()) {
      return base::fail(base::ErrorKind::kAbsent, "the kernel's log is of the running kernel only",
                        root.proc, "leave --proc-root at /proc");
    }
    fd_.reset(::open(kPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!fd_.valid()) return refusal(errno);
    if (::lseek(fd_.get(), 0, SEEK_END) < 0) return refusal(errno);
    counts_ = {};
    channels_.emplace(metrics_, "");
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    if (!drain(writer)) return;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      channels_->set(writer, i, procfs::Value(counts_[i]));
  }

 private:
  // Reads what has come. Returns whether the log can be read at all.
  bool drain(FrameWriter& writer) {
    for (int i = 0; i < kRecordsPerReading; ++i) {
      const ssize_t size = ::read(fd_.get(), buffer_.data(), buffer_.size());
      if (size > 0) {
        take(writer, {buffer_.data(), static_cast<std::size_t>(size)});
      } else if (size < 0 && errno == EPIPE) {
        ++counts_[kOverruns];
      } else if (size < 0 && (errno == EINTR || errno == EINVAL)) {
        continue;  // EINVAL: a record longer than the buffer, which the kernel has skipped
      } else {
        return size < 0 && errno == EAGAIN;
      }
    }
    return true;
  }

  void take(FrameWriter& writer, std::string_view text) {
    const auto record = procfs::parse_kmsg(text);
    if (!record) return;
    const auto trouble = procfs::match_trouble(record->message);
    if (!trouble) return;
    const auto place = static_cast<std::size_t>(trouble->trouble);
    ++counts_[place];
    if (notes_.take(steady_clock::now())) {
      writer.note_event(kRows[place].subject, text_of(*trouble, record->message));
    }
  }

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::array<std::uint64_t, std::size(kRows)> counts_{};
  std::array<char, kLongestRecord> buffer_{};
  NoteBudget notes_;
  base::UniqueFd fd_;
  std::optional<InstanceChannels> channels_;
};

std::vector<MetricDescriptor> kmsg_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_kmsg() {
  return std::make_unique<KmsgCollector>();
}

}  // namespace

extern const CollectorDescriptor kKmsgCollector = {
    .name = "kmsg",
    .help = "trouble that the kernel prints",
    .make = make_kmsg,
    .metrics = kmsg_metrics,
};

}  // namespace reveal::collect
