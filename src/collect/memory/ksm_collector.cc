// /sys/kernel/mm/ksm: pages of equal content that the kernel has joined into one, where a program
// or a hypervisor asked it to look for such. Looking takes processor time, and a page that is
// written again takes a fault.
#include <string>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/page_size.h"
#include "collect/parts/scanned_collector.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr std::string_view kFolder = "kernel/mm/ksm";

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kMemory,
                                  .doc_url = "https://docs.kernel.org/admin-guide/mm/ksm.html"};

constexpr MetricDescriptor row(std::string_view source, std::string_view unit,
                               std::string_view name, std::string_view label, std::string_view help,
                               Kind kind = Kind::kGauge) {
  return describe(kOrigin, {.name = name,
                            .label = label,
                            .unit = unit,
                            .kind = kind,
                            .source = source,
                            .alias = source.substr(source.rfind('/') + 1),
                            .help = help,
                            .rank = 120});
}

// Those of bytes are pages in the file; their size is known at run time only.
constexpr MetricDescriptor kMetrics[] = {
    row("/sys/kernel/mm/ksm/pages_shared", "bytes", "memory_ksm_shared_bytes",
        "Memory that joined pages take", "Memory of the pages that stand for several equal ones."),
    row("/sys/kernel/mm/ksm/pages_sharing", "bytes", "memory_ksm_saved_bytes",
        "Memory saved by joining pages", "Memory that the joined pages would take by themselves."),
    row("/sys/kernel/mm/ksm/pages_unshared", "bytes", "memory_ksm_unshared_bytes",
        "Memory looked through in vain", "Memory of pages looked at that are like no other."),
    row("/sys/kernel/mm/ksm/pages_volatile", "bytes", "memory_ksm_volatile_bytes",
        "Memory that changes too fast to be joined", "Memory of pages that change too often."),
    row("/sys/kernel/mm/ksm/full_scans", "scans", "memory_ksm_scans_total",
        "Searches for equal pages", "Times that all memory offered was looked through.",
        Kind::kCounter),
    row("/sys/kernel/mm/ksm/run", "state", "memory_ksm_mode", "Search for equal pages",
        "0 off, 1 on, 2 off with all pages taken apart again."),
};

std::vector<MetricDescriptor> ksm_metrics() {
  std::vector<MetricDescriptor> out{std::begin(kMetrics), std::end(kMetrics)};
  for (auto& metric : out) {
    if (metric.unit == "bytes") metric.scale = page_bytes();
  }
  return out;
}

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  std::vector<DeviceFiles> out;
  if (procfs::resolved(root.sys_path(kFolder)).empty()) return out;
  DeviceFiles& files = out.emplace_back(metrics, "");
  for (std::size_t i = 0; i < metrics.size(); ++i) files.add(i, root.path_of(metrics[i].source));
  return out;
}

std::unique_ptr<Collector> make_ksm() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      ksm_metrics(), ScannedSource<DeviceFiles>{.scan = scan,
                                                .watched = {kFolder},
                                                .none = "this kernel does not look for equal pages",
                                                .remedy = "use a kernel with CONFIG_KSM"});
}

}  // namespace

extern const CollectorDescriptor kKsmCollector = {
    .name = "ksm",
    .help = "memory that equal pages share",
    .make = make_ksm,
    .metrics = ksm_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
