// /sys/devices/system/edac/mc: memory errors that the memory controllers corrected, and those that
// they could not, of each controller and each module. If the driver knows no modules, its rows of
// chips (csrows) stand for them. A module goes by the label that the driver or the firmware gave
// it.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/scanned_collector.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

using Row = MetricRow<std::string_view>;  // key: the file

constexpr std::string_view kFolder = "devices/system/edac/mc";
constexpr std::size_t kMaxControllers = 256;
constexpr std::size_t kMaxModules = 64;  // of one controller

constexpr Row row(std::string_view source, std::string_view alias, std::string_view name,
                  std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "errors";
  out.kind = Kind::kEvent;
  out.subsystem = model::Subsystem::kMemory;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/admin-guide/ras.html";
  out.help = help;
  out.rank = rank;
  return {source.substr(source.rfind('/') + 1), out};
}

constexpr Row mib(Row out) {
  out.metric.unit = "bytes";
  out.metric.kind = Kind::kStatic;
  out.metric.scale = 1024.0 * 1024.0;
  return out;
}

constexpr Row kControllerRows[] = {
    row("/sys/devices/system/edac/mc/mc*/ce_count", "edac ce", "memory_corrected_errors_total",
        "Corrected memory errors", "Memory errors that the controller corrected.", 20),
    row("/sys/devices/system/edac/mc/mc*/ue_count", "edac ue", "memory_uncorrected_errors_total",
        "Uncorrected memory errors", "Memory errors that the controller could not correct.", 10),
    row("/sys/devices/system/edac/mc/mc*/ce_noinfo_count", "edac ce_noinfo",
        "memory_corrected_unplaced_errors_total", "Corrected memory errors of no known module",
        "Corrected memory errors that the controller could not place.", 60),
    row("/sys/devices/system/edac/mc/mc*/ue_noinfo_count", "edac ue_noinfo",
        "memory_uncorrected_unplaced_errors_total", "Uncorrected memory errors of no known module",
        "Uncorrected memory errors that the controller could not place.", 40),
    mib(row("/sys/devices/system/edac/mc/mc*/size_mb", "edac size_mb", "memory_controller_bytes",
            "Memory of a controller", "Memory that the controller drives.", 80)),
};
constexpr Row kModuleRows[] = {
    row("/sys/devices/system/edac/mc/mc*/{dimm,rank}*/dimm_ce_count", "edac dimm_ce",
        "memory_module_corrected_errors_total", "Corrected errors of a memory module",
        "Errors of the memory module that were corrected (Linux 4.13).", 30),
    row("/sys/devices/system/edac/mc/mc*/{dimm,rank}*/dimm_ue_count", "edac dimm_ue",
        "memory_module_uncorrected_errors_total", "Uncorrected errors of a memory module",
        "Errors of the memory module that could not be corrected (Linux 4.13).", 20),
    mib(row("/sys/devices/system/edac/mc/mc*/{dimm,rank}*/size", "edac dimm size",
            "memory_module_bytes", "Size of a memory module",
            "Size of the memory module, so that a missing one shows.", 80)),
};
constexpr Row kChipRows[] = {
    row("/sys/devices/system/edac/mc/mc*/csrow*/ce_count", "edac csrow ce",
        "memory_chip_row_corrected_errors_total", "Corrected errors of a row of chips",
        "Errors of the row of memory chips that were corrected.", 60),
    row("/sys/devices/system/edac/mc/mc*/csrow*/ue_count", "edac csrow ue",
        "memory_chip_row_uncorrected_errors_total", "Uncorrected errors of a row of chips",
        "Errors of the row of memory chips that could not be corrected.", 40),
};
constexpr std::size_t kFirstModuleRow = std::size(kControllerRows);
constexpr std::size_t kFirstChipRow = kFirstModuleRow + std::size(kModuleRows);

template <typename Rows>
void add_files(const Rows& rows, std::size_t first, const std::string& folder, DeviceFiles& to) {
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    to.add(first + i, fmt::format("{}/{}", folder, rows[i].key));
  }
}

class ControllerScan {
 public:
  ControllerScan(std::string folder, std::string_view name,
                 std::span<const MetricDescriptor> metrics, std::vector<DeviceFiles>& out)
      : folder_(std::move(folder)), instance_(instance_of(name)), metrics_(metrics), out_(out) {}

  void run() {
    add_files(kControllerRows, 0, folder_, out_.emplace_back(metrics_, instance_));
    const auto names = procfs::names_in(folder_, 4 * kMaxModules);
    const bool has_modules = std::any_of(names.begin(), names.end(), is_module);
    std::size_t added = 0;
    for (const auto& name : names) {
      if (added == kMaxModules) break;
      if (!(has_modules ? is_module(name) : name.starts_with("csrow"))) continue;
      ++added;
      has_modules ? add_module(name) : add_chips(name);
    }
  }

 private:
  // "mc0" is "mc=0".
  static std::string instance_of(std::string_view name) {
    return fmt::format("mc={}", instance_text(name.substr(2)));
  }

  static bool is_module(std::string_view name) {
    return name.starts_with("dimm") || name.starts_with("rank");
  }

  void add_module(const std::string& name) {
    const std::string folder = fmt::format("{}/{}", folder_, name);
    std::string label = instance_text(procfs::read_line(folder + "/dimm_label"));
    if (label.empty() || !labels_.insert(label).second) label = name;
    DeviceFiles& module = out_.emplace_back(metrics_, fmt::format("{},dimm={}", instance_, label));
    add_files(kModuleRows, kFirstModuleRow, folder, module);
  }

  void add_chips(const std::string& name) {
    DeviceFiles& chips = out_.emplace_back(
        metrics_, fmt::format("{},csrow={}", instance_, instance_text(name.substr(5))));
    add_files(kChipRows, kFirstChipRow, fmt::format("{}/{}", folder_, name), chips);
  }

  std::string folder_;
  std::string instance_;
  std::span<const MetricDescriptor> metrics_;
  std::vector<DeviceFiles>& out_;
  std::set<std::string> labels_;
};

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  std::vector<DeviceFiles> out;
  for (const auto& name : procfs::names_in(root.sys_path(kFolder), kMaxControllers)) {
    if (!name.starts_with("mc") || !procfs::parse_u64(std::string_view(name).substr(2))) continue;
    ControllerScan(root.sys_path(fmt::format("{}/{}", kFolder, name)), name, metrics, out).run();
  }
  return out;
}

std::vector<MetricDescriptor> edac_metrics() {
  auto out = metrics_of(kControllerRows);
  for (const auto& more : {metrics_of(kModuleRows), metrics_of(kChipRows)}) {
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

std::unique_ptr<Collector> make_edac() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      edac_metrics(),
      ScannedSource<DeviceFiles>{
          .scan = scan,
          .watched = {kFolder},
          .none = "no memory controller reports errors",
          .remedy = "load the EDAC driver of the memory controller (skx_edac, i10nm_edac, "
                    "amd64_edac, ghes_edac); in a virtual machine the host has it"});
}

}  // namespace

extern const CollectorDescriptor kEdacCollector = {
    .name = "edac",
    .help = "memory errors per controller and module",
    .make = make_edac,
    .metrics = edac_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
