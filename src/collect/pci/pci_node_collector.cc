// Which NUMA node each GPU and NVMe disk hangs on: a data loader on the other node pays for it with
// every byte. (Network adapters are among the network links.) A host without NUMA says -1, which is
// not a node.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "procfs/attribute.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> pci_node_metrics();

using model::MetricDescriptor;
using model::Subsystem;

constexpr std::size_t kMaxFunctions = 8192;
constexpr std::size_t kMaxDevices = 256;

constexpr MetricDescriptor row(Subsystem subsystem, std::string_view source, std::string_view name,
                               std::string_view label, std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "node";
  out.kind = model::Kind::kStatic;
  out.subsystem = subsystem;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = "numa_node";
  out.doc_url = "https://docs.kernel.org/admin-guide/abi-testing.html";
  out.help = help;
  return out;
}

enum Row : std::size_t { kGpu, kNvme };

constexpr MetricDescriptor kMetrics[] = {
    row(Subsystem::kGpu, "/sys/bus/pci/devices/*/numa_node of class 0x03", "gpu_pci_numa_node",
        "NUMA node of the GPU's slot", "NUMA node that the GPU is attached to."),
    row(Subsystem::kStorage, "/sys/bus/pci/devices/*/numa_node of class 0x0108",
        "storage_pci_numa_node", "NUMA node of the NVMe slot",
        "NUMA node that the disk is attached to."),
};

std::optional<Row> row_of_class(std::string_view pci_class) {
  if (pci_class.starts_with("0x0108")) return kNvme;
  if (pci_class.starts_with("0x0300") || pci_class.starts_with("0x0302") ||
      pci_class.starts_with("0x0380") || pci_class.starts_with("0x1200")) {
    return kGpu;
  }
  return std::nullopt;
}

class PciNodeCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    folder_ = root.sys_path("bus/pci/devices");
    add_channels_of(*this, channels);
    const bool any = std::any_of(devices_.begin(), devices_.end(),
                                 [](const Device& device) { return device.channels.any(); });
    if (any) return {};
    return base::fail(base::ErrorKind::kAbsent, "no GPU or NVMe disk has a NUMA node", folder_);
  }

  void collect(FrameWriter& writer) override {
    procfs::list_folder(folder_, names_, kMaxFunctions);
    for (const auto& name : names_) set(writer, name);
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    const bool gpu = metric.name == kMetrics[kGpu].name;
    return {base::ErrorKind::kAbsent,
            gpu ? "no GPU says its NUMA node" : "no NVMe disk says its NUMA node", folder_, ""};
  }

 private:
  struct Device {
    std::string function;  // "0000:17:00.0"
    InstanceChannels channels;
  };

  void set(FrameWriter& writer, const std::string& function) {
    const auto pci_class = read(function, "/class");
    const auto row = row_of_class(pci_class.value_or(""));
    if (!row) return;
    const auto node = read(function, "/numa_node");
    const auto number = node ? procfs::parse_u64(*node) : std::nullopt;
    if (Device* device = number ? device_of(function) : nullptr) {
      device->channels.set(writer, *row, number);
    }
  }

  Device* device_of(std::string_view function) {
    const auto it = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const Device& device) { return device.function == function; });
    if (it != devices_.end()) return &*it;
    if (devices_.size() >= kMaxDevices) return nullptr;
    return &devices_.emplace_back(
        Device{std::string(function), InstanceChannels(metrics_, fmt::format("pci={}", function))});
  }

  std::optional<std::string_view> read(std::string_view function, std::string_view file) {
    path_.assign(folder_).append("/").append(function).append(file);
    return reader_.read(path_);
  }

  std::vector<MetricDescriptor> metrics_ = pci_node_metrics();
  std::string folder_;
  std::vector<Device> devices_;
  std::vector<std::string> names_;
  procfs::AttributeReader reader_;
  std::string path_;
};

std::vector<MetricDescriptor> pci_node_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_pci_node() {
  return std::make_unique<PciNodeCollector>();
}

}  // namespace

extern const CollectorDescriptor kPciNodeCollector = {
    .name = "pci_node",
    .help = "the NUMA nodes of GPUs and NVMe disks",
    .make = make_pci_node,
    .metrics = pci_node_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
