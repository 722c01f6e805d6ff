// /sys/bus/pci/devices/*/aer_*: errors of PCI Express links that advanced error reporting saw. An
// error counts at the end of the link that noticed it, which may be the root port and not the
// device, so both are read. Where the firmware keeps the errors to itself the files are absent.
#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/scanned_collector.h"
#include "collect/pci/joined_text.h"
#include "collect/pci/pci_functions.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Subsystem;

struct Counter {
  std::string_view file;
  ReadWhole read;
};

// In the order of a kind's metrics.
constexpr Counter kCounters[] = {
    {"aer_dev_correctable",
     [](AttributeText t) { return procfs::value_of_key(t, "TOTAL_ERR_COR"); }},
    {"aer_dev_nonfatal",
     [](AttributeText t) { return procfs::value_of_key(t, "TOTAL_ERR_NONFATAL"); }},
    {"aer_dev_fatal", [](AttributeText t) { return procfs::value_of_key(t, "TOTAL_ERR_FATAL"); }},
    {"aer_rootport_total_err_cor", procfs::parse_whole},
    {"aer_rootport_total_err_nonfatal", procfs::parse_whole},
    {"aer_rootport_total_err_fatal", procfs::parse_whole},
};
constexpr std::size_t kRows = std::size(kCounters);

constexpr MetricDescriptor row(Subsystem subsystem, std::string_view source, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "errors";
  out.kind = model::Kind::kEvent;
  out.subsystem = subsystem;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/PCI/pcieaer-howto.html";
  out.help = help;
  out.rank = rank;
  return out;
}

template <Text Name, Text Thing, Text Of>
constexpr std::array<MetricDescriptor, kRows> metrics_of_kind(Subsystem s) {
  return {
      row(s, kJoined<"/sys/bus/pci/devices/*/aer_dev_correctable TOTAL_ERR_COR", Of>,
          "TOTAL_ERR_COR", kJoined<Name, "_pcie_link_correctable_errors_total">,
          kJoined<Thing, " PCIe errors corrected">,
          "Errors that the link corrected by sending again (Linux 4.19).", 20),
      row(s, kJoined<"/sys/bus/pci/devices/*/aer_dev_nonfatal TOTAL_ERR_NONFATAL", Of>,
          "TOTAL_ERR_NONFATAL", kJoined<Name, "_pcie_link_nonfatal_errors_total">,
          kJoined<Thing, " PCIe errors that lost a transfer">,
          "Errors that lost a transfer but not the link (Linux 4.19).", 15),
      row(s, kJoined<"/sys/bus/pci/devices/*/aer_dev_fatal TOTAL_ERR_FATAL", Of>, "TOTAL_ERR_FATAL",
          kJoined<Name, "_pcie_link_fatal_errors_total">,
          kJoined<Thing, " PCIe errors that lost the link">,
          "Errors after which the link had to be made anew (Linux 4.19).", 10),
      row(s, kJoined<"/sys/bus/pci/devices/*/aer_rootport_total_err_cor", Of>,
          "aer_rootport_total_err_cor", kJoined<Name, "_pcie_port_correctable_errors_total">,
          kJoined<Thing, " root port messages of corrected errors">,
          "Messages of corrected errors that reached the root port from below (Linux 4.19).", 40),
      row(s, kJoined<"/sys/bus/pci/devices/*/aer_rootport_total_err_nonfatal", Of>,
          "aer_rootport_total_err_nonfatal", kJoined<Name, "_pcie_port_nonfatal_errors_total">,
          kJoined<Thing, " root port messages of lost transfers">,
          "Messages of non-fatal errors that reached the root port from below (Linux 4.19).", 30),
      row(s, kJoined<"/sys/bus/pci/devices/*/aer_rootport_total_err_fatal", Of>,
          "aer_rootport_total_err_fatal", kJoined<Name, "_pcie_port_fatal_errors_total">,
          kJoined<Thing, " root port messages of lost links">,
          "Messages of fatal errors that reached the root port from below (Linux 4.19).", 20),
  };
}

constexpr std::array<std::array<MetricDescriptor, kRows>, kPciKinds> kMetrics = {
    metrics_of_kind<"gpu", "GPU", " of GPUs">(Subsystem::kGpu),
    metrics_of_kind<"network", "Network adapter", " of network adapters">(Subsystem::kNetwork),
    metrics_of_kind<"storage", "NVMe", " of NVMe drives">(Subsystem::kStorage),
};

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  std::vector<DeviceFiles> out;
  for (const auto& function : find_pci_functions(root)) {
    DeviceFiles& device = out.emplace_back(metrics, fmt::format("pci={}", function.address));
    const std::size_t first = static_cast<std::size_t>(function.kind) * kRows;
    for (std::size_t i = 0; i < kRows; ++i) {
      device.add(first + i, fmt::format("{}/{}", function.folder, kCounters[i].file),
                 kCounters[i].read);
    }
  }
  return out;
}

std::vector<MetricDescriptor> pci_aer_metrics() {
  std::vector<MetricDescriptor> out;
  for (const auto& kind : kMetrics) out.insert(out.end(), kind.begin(), kind.end());
  return out;
}

std::unique_ptr<Collector> make_pci_aer() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      pci_aer_metrics(),
      ScannedSource<DeviceFiles>{.scan = scan,
                                 .watched = {kPciDevices},
                                 .none = "no GPU, network adapter or NVMe drive on PCI Express",
                                 .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kPciAerCollector = {
    .name = "pci_aer",
    .help = "errors of PCIe links",
    .make = make_pci_aer,
    .metrics = pci_aer_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
