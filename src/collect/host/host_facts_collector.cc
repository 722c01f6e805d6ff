// How the host was started and what its drivers are: kernel, command line, firmware, I/O memory
// management, transparent huge pages, GPU driver, and who moves interrupts around. Words are facts;
// numbers are metrics, to be compared between hosts.
#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/fact_text.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/text_facts.h"
#include "procfs/attribute.h"
#include "procfs/file_head.h"
#include "procfs/kernel_parameters.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> host_facts_metrics();

using model::MetricDescriptor;
using model::Subsystem;

constexpr std::size_t kMaxProcesses = 65536;
constexpr std::size_t kMaxIommus = 4096;

constexpr MetricDescriptor row(Subsystem subsystem, std::string_view source, std::string_view alias,
                               std::string_view unit, std::string_view name, std::string_view label,
                               std::string_view doc_url, std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kStatic;
  out.subsystem = subsystem;
  out.source = source;
  out.alias = alias;
  out.doc_url = doc_url;
  out.help = help;
  return out;
}

enum Row : std::size_t { kIommus, kIrqbalance, kPeerMemory, kHugePageMode };

constexpr MetricDescriptor kMetrics[] = {
    row(Subsystem::kCpu, "/sys/class/iommu entries", "iommu", "units", "cpu_iommu_units",
        "I/O memory management units", "https://docs.kernel.org/arch/x86/iommu.html",
        "Units that translate the addresses of devices; 0 where they are off."),
    row(Subsystem::kCpu, "/proc/*/comm irqbalance", "irqbalance", "boolean",
        "cpu_irqbalance_running", "Interrupt balancer",
        "https://docs.kernel.org/core-api/irq/irq-affinity.html",
        "Whether irqbalance runs, which moves interrupts between cores; all "
        "processes are looked through once, when the recording starts."),
    row(Subsystem::kGpu, "/sys/module/nvidia*/initstate peermem", "nvidia_peermem", "boolean",
        "gpu_peer_memory_loaded", "GPU peer memory module",
        "https://docs.nvidia.com/cuda/gpudirect-rdma/index.html",
        "Whether network adapters can reach the memory of NVIDIA GPUs directly."),
    row(Subsystem::kMemory, "/sys/kernel/mm/transparent_hugepage/enabled", "thp_enabled", "mode",
        "memory_transparent_huge_page_mode", "Transparent huge page mode",
        "https://docs.kernel.org/admin-guide/mm/transhuge.html",
        "Who gets transparent huge pages: 0 nobody, 1 programs that ask, 2 all."),
};

std::string_view without_blanks_behind(std::string_view line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

constexpr TextFactRow kTexts[] = {
    {"kernel release", "/proc/sys/kernel/osrelease"},
    {"kernel build", "/proc/sys/kernel/version"},
    {"firmware vendor", "/sys/class/dmi/id/bios_vendor", without_blanks_behind},
    {"firmware version", "/sys/class/dmi/id/bios_version", without_blanks_behind},
    {"firmware date", "/sys/class/dmi/id/bios_date", without_blanks_behind},
    {"machine vendor", "/sys/class/dmi/id/sys_vendor", without_blanks_behind},
    {"machine model", "/sys/class/dmi/id/product_name", without_blanks_behind},
    {"I/O memory domain", "/sys/kernel/iommu_groups/0/type"},
    {"transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled", chosen},
    {"transparent huge page defragmentation", "/sys/kernel/mm/transparent_hugepage/defrag", chosen},
    {"transparent huge pages of shared memory", "/sys/kernel/mm/transparent_hugepage/shmem_enabled",
     chosen},
    {"NVIDIA driver", "/proc/driver/nvidia/version"},
};

procfs::Value mode_of(std::string_view choice) {
  if (choice == "never") return 0;
  if (choice == "madvise") return 1;
  if (choice == "always") return 2;
  return std::nullopt;
}

// Finds the process of a name. All processes are looked through once, which costs a file each;
// after that only the one that was found is looked at, and all again when it has gone. Only the
// host's own process table tells: in a container's, kthreadd is not process 2.
class ProcessWatch {
 public:
  ProcessWatch(std::string proc, std::string_view name) : proc_(std::move(proc)), name_(name) {}

  // Returns whether it runs, nothing if the processes cannot be seen.
  procfs::Value running(procfs::AttributeReader& reader) {
    if (comm_of("2", reader) != "kthreadd") return std::nullopt;
    if (!pid_.empty() && comm_of(pid_, reader) == name_) return 1;
    if (!looked_ || !pid_.empty()) search(reader);
    return pid_.empty() ? 0 : 1;
  }

 private:
  std::string_view comm_of(std::string_view pid, procfs::AttributeReader& reader) {
    path_.assign(proc_).append("/").append(pid).append("/comm");
    return reader.read(path_).value_or("");
  }

  void search(procfs::AttributeReader& reader) {
    looked_ = true;
    pid_.clear();
    std::vector<std::string> entries;
    procfs::list_folder(proc_, entries, kMaxProcesses);
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
      return procfs::parse_u64(entry) && comm_of(entry, reader) == name_;
    });
    if (found != entries.end()) pid_ = *found;
  }

  std::string proc_;
  std::string name_;
  std::string pid_;  // empty: not found
  bool looked_ = false;
  std::string path_;
};

class HostFactsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    texts_.emplace(kTexts, root);
    irqbalance_.emplace(root.proc, "irqbalance");
    command_line_path_ = root.proc_path("cmdline");
    parameters_path_ = root.proc_path("driver/nvidia/params");
    nvidia_path_ = root.sys_path("module/nvidia/initstate");
    peer_memory_path_ = root.sys_path("module/nvidia_peermem/initstate");
    iommu_path_ = root.sys_path("class/iommu");
    huge_pages_path_ = root.sys_path("kernel/mm/transparent_hugepage/enabled");
    add_channels_of(*this, channels);
    forget();
    if (channels_.any()) return {};
    return base::fail(base::ErrorKind::kAbsent, "has no settings of the host", root.sys);
  }

  void collect(FrameWriter& writer) override {
    texts_->say(writer, reader_);
    tell_command_line(writer);
    tell_parameters(writer);
    if (procfs::list_folder(iommu_path_, names_, kMaxIommus)) {
      channels_.set(writer, kIommus, procfs::Value(names_.size()));
    }
    channels_.set(writer, kIrqbalance, irqbalance_->running(reader_));
    channels_.set(writer, kPeerMemory, peer_memory());
    const auto line = reader_.read(huge_pages_path_);
    channels_.set(writer, kHugePageMode, mode_of(chosen(line.value_or(""))));
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    if (metric.name == kMetrics[kIrqbalance].name) {
      return {base::ErrorKind::kAbsent, "a container sees its own processes only", "", ""};
    }
    if (metric.name == kMetrics[kPeerMemory].name) {
      return {base::ErrorKind::kAbsent, "no NVIDIA driver on this host", "", ""};
    }
    return Collector::why_absent(metric);
  }

 private:
  void forget() {
    texts_->forget();
    command_line_.forget();
    parameters_.forget();
  }

  void tell_command_line(FrameWriter& writer) {
    const auto text = procfs::read_head(command_line_path_, head_);
    procfs::tell_kernel_parameters(text.value_or(""), text_);
    command_line_.say(writer, text_);
  }

  // Lines as "EnableMSI: 1" become "EnableMSI 1, ...".
  void tell_parameters(FrameWriter& writer) {
    const auto text = procfs::read_head(parameters_path_, head_);
    text_.clear();
    procfs::LineCursor lines(text.value_or(""));
    for (std::string_view line; lines.next(line);) {
      const auto colon = line.find(':');
      if (colon == std::string_view::npos) continue;
      if (!text_.empty()) text_ += ", ";
      text_.append(line.substr(0, colon)).append(line.substr(colon + 1));
    }
    parameters_.say(writer, text_);
  }

  // Without its driver the module means nothing.
  procfs::Value peer_memory() {
    if (reader_.read(nvidia_path_) != "live") return std::nullopt;
    const auto state = reader_.read(peer_memory_path_);
    if (state) return *state == "live" ? 1 : 0;
    return reader_.last_errno() == ENOENT ? procfs::Value(0) : std::nullopt;
  }

  std::vector<MetricDescriptor> metrics_ = host_facts_metrics();
  InstanceChannels channels_{metrics_, ""};
  procfs::AttributeReader reader_;
  std::optional<TextFacts> texts_;
  std::optional<ProcessWatch> irqbalance_;
  FactText command_line_{"kernel command line"};
  FactText parameters_{"NVIDIA driver parameters"};
  std::string command_line_path_;
  std::string parameters_path_;
  std::string nvidia_path_;
  std::string peer_memory_path_;
  std::string iommu_path_;
  std::string huge_pages_path_;
  std::vector<std::string> names_;
  std::array<char, 8192> head_{};
  std::string text_;
};

std::vector<MetricDescriptor> host_facts_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_host_facts() {
  return std::make_unique<HostFactsCollector>();
}

}  // namespace

extern const CollectorDescriptor kHostFactsCollector = {
    .name = "host_facts",
    .help = "how the host was started, and its drivers",
    .make = make_host_facts,
    .metrics = host_facts_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
