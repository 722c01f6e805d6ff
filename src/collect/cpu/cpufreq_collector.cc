// /sys/devices/system/cpu/cpu*/cpufreq: the frequency of each core, read often, and the limits it
// is held to, read seldom. Some drivers ask the core or the firmware for the frequency,
// which takes them up to 10 ms a core, so neither reading is ever waited for.
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

using Row = MetricRow<std::string_view>;  // key: the file, below a core's or the cpu folder

constexpr std::string_view kRemedy =
    "load a CPU frequency driver (intel_pstate, amd-pstate, acpi-cpufreq, cppc_cpufreq); in a "
    "virtual machine the host has it";

constexpr Row row(std::string_view source, std::string_view alias, std::string_view name,
                  std::string_view label, std::string_view help, std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "hertz";
  out.scope = Scope::kCore;
  out.scale = 1e3;  // kHz
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/admin-guide/pm/cpufreq.html";
  out.help = help;
  out.rank = rank;
  return {alias, out};
}

constexpr Row kNow[] = {
    row("/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq", "scaling_cur_freq",
        "cpu_frequency_hertz", "Core frequency",
        "Frequency of the core as its driver knows it: measured, or only asked for.", 30),
};

constexpr Row fact(Row out) {
  out.metric.kind = Kind::kStatic;
  return out;
}

constexpr Row flag(Row out) {
  out = fact(out);
  out.metric.unit = "flag";
  out.metric.scale = 1.0;
  out.metric.scope = Scope::kHost;
  return out;
}

constexpr Row percent(Row out) {
  out = flag(out);
  out.metric.unit = "ratio";
  out.metric.scale = 0.01;
  return out;
}

constexpr Row kLimits[] = {
    fact(row("/sys/devices/system/cpu/cpu*/cpufreq/scaling_max_freq", "scaling_max_freq",
             "cpu_frequency_limit_maximum_hertz", "Highest frequency allowed",
             "Highest frequency that the governor may choose.", 50)),
    fact(row("/sys/devices/system/cpu/cpu*/cpufreq/scaling_min_freq", "scaling_min_freq",
             "cpu_frequency_limit_minimum_hertz", "Lowest frequency allowed",
             "Lowest frequency that the governor may choose.", 100)),
    fact(row("/sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_max_freq", "cpuinfo_max_freq",
             "cpu_frequency_hardware_maximum_hertz", "Highest frequency possible",
             "Highest frequency of the hardware, turbo among it.")),
    fact(row("/sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_min_freq", "cpuinfo_min_freq",
             "cpu_frequency_hardware_minimum_hertz", "Lowest frequency possible",
             "Lowest frequency of the hardware.", 150)),
    fact(row("/sys/devices/system/cpu/cpu*/cpufreq/base_frequency", "base_frequency",
             "cpu_frequency_base_hertz", "Base frequency",
             "Frequency that the core sustains without turbo (intel_pstate).", 150)),
};

constexpr Row kHostLimits[] = {
    flag(row("/sys/devices/system/cpu/intel_pstate/no_turbo", "intel_pstate/no_turbo",
             "cpu_turbo_disabled_flag", "Turbo switched off",
             "Whether intel_pstate may not go above the base frequency.", 50)),
    flag(row("/sys/devices/system/cpu/cpufreq/boost", "cpufreq/boost", "cpu_boost_enabled_flag",
             "Boost switched on",
             "Whether acpi-cpufreq and amd-pstate may go above the base frequency.", 50)),
    percent(row("/sys/devices/system/cpu/intel_pstate/max_perf_pct", "intel_pstate/max_perf_pct",
                "cpu_performance_limit_ratio", "Highest performance allowed",
                "Share of the highest performance that intel_pstate may ask for.")),
};

std::vector<MetricDescriptor> limit_metrics() {
  auto out = metrics_of(kLimits);
  const auto host = metrics_of(kHostLimits);
  out.insert(out.end(), host.begin(), host.end());
  return out;
}

template <typename Rows>
std::vector<DeviceFiles> scan_cores(const procfs::HostRoot& root, const Rows& rows,
                                    std::span<const MetricDescriptor> metrics, bool keep) {
  std::vector<DeviceFiles> out;
  const auto cpus = online_cpus(root);
  const auto kept = keep ? keep_for(cpus.size() * std::size(rows)) : DeviceFiles::Keep::kClosed;
  for (const auto cpu : cpus) {
    if (::access(cpu_path(root, cpu, "cpufreq").c_str(), F_OK) != 0) continue;
    DeviceFiles& core = out.emplace_back(metrics, fmt::format("cpu={}", cpu), kept);
    for (std::size_t i = 0; i < std::size(rows); ++i) {
      core.add(i, cpu_path(root, cpu, fmt::format("cpufreq/{}", rows[i].key)));
    }
  }
  return out;
}

std::vector<DeviceFiles> scan_now(const procfs::HostRoot& root,
                                  std::span<const MetricDescriptor> metrics) {
  return scan_cores(root, kNow, metrics, true);
}

std::vector<DeviceFiles> scan_limits(const procfs::HostRoot& root,
                                     std::span<const MetricDescriptor> metrics) {
  auto out = scan_cores(root, kLimits, metrics, false);
  if (out.empty()) return out;
  DeviceFiles& host = out.emplace_back(metrics, "");
  for (std::size_t i = 0; i < std::size(kHostLimits); ++i) {
    const auto path = fmt::format("devices/system/cpu/{}", kHostLimits[i].key);
    host.add(std::size(kLimits) + i, root.sys_path(path));
  }
  return out;
}

std::unique_ptr<Collector> make(std::vector<MetricDescriptor> metrics,
                                const decltype(ScannedSource<DeviceFiles>::scan)& scan,
                                std::size_t readings_per_look) {
  // A core without a driver gets its folder when the driver is loaded, and so does the host.
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      std::move(metrics),
      ScannedSource<DeviceFiles>{.scan = scan,
                                 .watched = {kOnlineCpus, "devices/system/cpu/cpufreq"},
                                 .readings_per_look = readings_per_look,
                                 .none = "no core has a frequency driver",
                                 .remedy = kRemedy});
}

std::vector<MetricDescriptor> cpufreq_metrics() {
  return metrics_of(kNow);
}
std::vector<MetricDescriptor> cpufreq_limits_metrics() {
  return limit_metrics();
}

std::unique_ptr<Collector> make_cpufreq() {
  return make(cpufreq_metrics(), scan_now, kQuickReadingsPerLook);
}
std::unique_ptr<Collector> make_cpufreq_limits() {
  return make(cpufreq_limits_metrics(), scan_limits, 1);
}

}  // namespace

extern const CollectorDescriptor kCpufreqCollector = {
    .name = "cpufreq",
    .help = "frequency per core",
    .make = make_cpufreq,
    .metrics = cpufreq_metrics,
    .poll_class = PollClass::kQuick,
    .may_block = true,
};

extern const CollectorDescriptor kCpufreqLimitsCollector = {
    .name = "cpufreq_limits",
    .help = "what the frequency of cores is held to",
    .make = make_cpufreq_limits,
    .metrics = cpufreq_limits_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
