// /sys/devices/system/cpu/cpu*/thermal_throttle: how often and how long cores and packages of Intel
// were held back because they were hot.
//
// The package's numbers are kept once for each of its cores, counted by each on its own, so the
// package has the largest of them.
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "collect/collector.h"
#include "collect/cpu/cpu_files.h"
#include "collect/parts/device_files.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/scanned_collector.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Scope;

using Row = MetricRow<std::string_view>;  // key: the file

constexpr Row row(std::string_view source, std::string_view name, std::string_view alias,
                  std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "events";
  out.kind = Kind::kEvent;
  out.scope = Scope::kCore;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/admin-guide/thermal/intel_thermal_throttle.html";
  out.help = help;
  out.rank = rank;
  return {source.substr(source.rfind('/') + 1), out};
}

constexpr Row ms(Row out) {
  out.metric.unit = "seconds";
  out.metric.kind = Kind::kCounter;
  out.metric.scale = 1e-3;
  return out;
}

constexpr Row package(Row out) {
  out.metric.scope = Scope::kDevice;
  return out;
}

constexpr Row kCoreRows[] = {
    row("/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count",
        "cpu_core_throttles_total", "CoreThr", "Core thermal throttles",
        "Times that the core was slowed because it was hot.", 10),
    ms(row("/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_total_time_ms",
           "cpu_core_throttled_seconds_total", "core_throttle_total_time_ms",
           "Core thermal throttling",
           "Time in which the core was hot enough to be slowed "
           "(Linux 5.6).",
           10)),
};
constexpr Row kPackageRows[] = {
    package(row("/sys/devices/system/cpu/cpu*/thermal_throttle/package_throttle_count",
                "cpu_package_throttles_total", "PkgThr", "Package thermal throttles",
                "Times that the package was slowed because it was hot.", 10)),
    package(ms(row("/sys/devices/system/cpu/cpu*/thermal_throttle/package_throttle_total_time_ms",
                   "cpu_package_throttled_seconds_total", "package_throttle_total_time_ms",
                   "Package thermal throttling",
                   "Time in which the package was hot enough to be slowed (Linux 5.6).", 10))),
};

std::string path_of(const procfs::HostRoot& root, std::uint32_t cpu, const Row& row) {
  return cpu_path(root, cpu, fmt::format("thermal_throttle/{}", row.key));
}

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  std::vector<DeviceFiles> out;
  std::map<std::string, std::vector<std::uint32_t>> packages;
  for (const auto cpu : online_cpus(root)) {
    if (::access(cpu_path(root, cpu, "thermal_throttle").c_str(), F_OK) != 0) continue;
    DeviceFiles& core = out.emplace_back(metrics, fmt::format("cpu={}", cpu));
    for (std::size_t i = 0; i < std::size(kCoreRows); ++i) {
      core.add(i, path_of(root, cpu, kCoreRows[i]));
    }
    const auto id = procfs::read_line(cpu_path(root, cpu, "topology/physical_package_id"));
    if (procfs::parse_u64(id)) packages[id].push_back(cpu);
  }
  for (const auto& [id, cpus] : packages) {
    DeviceFiles& package = out.emplace_back(metrics, fmt::format("package={}", id));
    for (std::size_t i = 0; i < std::size(kPackageRows); ++i) {
      for (const auto cpu : cpus) {
        package.add(std::size(kCoreRows) + i, path_of(root, cpu, kPackageRows[i]));
      }
    }
  }
  return out;
}

std::vector<MetricDescriptor> thermal_throttle_metrics() {
  auto out = metrics_of(kCoreRows);
  const auto packages = metrics_of(kPackageRows);
  out.insert(out.end(), packages.begin(), packages.end());
  return out;
}

std::unique_ptr<Collector> make_thermal_throttle() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      thermal_throttle_metrics(),
      ScannedSource<DeviceFiles>{.scan = scan,
                                 .watched = {kOnlineCpus},
                                 .none = "no core counts thermal throttling (Intel only)",
                                 .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kThermalThrottleCollector = {
    .name = "thermal_throttle",
    .help = "cores and packages slowed by heat",
    .make = make_thermal_throttle,
    .metrics = thermal_throttle_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
