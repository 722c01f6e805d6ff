// /sys/devices/system/cpu/intel_uncore_frequency: the clock of what the cores of an Intel package
// share (mesh, last-level cache, memory controllers), and the limits it is held to. A folder is a
// die, "package_00_die_01", and if the hardware has several clocks a domain as well, "uncore03",
// which says in files of its own what it is (Linux 6.5).
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

constexpr std::string_view kFolder = "devices/system/cpu/intel_uncore_frequency";

constexpr Row row(Kind kind, std::string_view source, std::string_view alias, std::string_view name,
                  std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "hertz";
  out.kind = kind;
  out.scope = model::Scope::kDevice;
  out.scale = 1e3;  // kHz
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/admin-guide/pm/intel_uncore_frequency_scaling.html";
  out.help = help;
  out.rank = rank;
  return {source.substr(source.rfind('/') + 1), out};
}

constexpr Row kRows[] = {
    row(Kind::kGauge, "/sys/devices/system/cpu/intel_uncore_frequency/*/current_freq_khz", "UncMHz",
        "cpu_uncore_frequency_hertz", "Uncore frequency",
        "Clock of the mesh and last-level cache (Linux 5.18).", 50),
    row(Kind::kStatic, "/sys/devices/system/cpu/intel_uncore_frequency/*/max_freq_khz",
        "max_freq_khz", "cpu_uncore_limit_maximum_hertz", "Highest uncore frequency allowed",
        "Highest clock that the mesh may run at.", 100),
    row(Kind::kStatic, "/sys/devices/system/cpu/intel_uncore_frequency/*/min_freq_khz",
        "min_freq_khz", "cpu_uncore_limit_minimum_hertz", "Lowest uncore frequency allowed",
        "Lowest clock that the mesh may run at.", 100),
};

// Returns the digits at the front, without leading zeros.
std::string number_in(std::string_view text) {
  text = text.substr(0, text.find_first_not_of("0123456789"));
  while (text.size() > 1 && text.front() == '0') text.remove_prefix(1);
  return std::string(text);
}

std::string domain_instance(const std::string& path, std::string_view name) {
  const auto package = procfs::read_line(path + "/package_id");
  const auto domain = procfs::read_line(path + "/domain_id");
  const auto cluster = procfs::read_line(path + "/fabric_cluster_id");
  if (package.empty() || domain.empty()) return fmt::format("uncore={}", instance_text(name));
  const auto out =
      fmt::format("package={},domain={}", instance_text(package), instance_text(domain));
  return cluster.empty() ? out : fmt::format("{},cluster={}", out, instance_text(cluster));
}

std::string instance_of(const std::string& path, std::string_view name) {
  constexpr std::string_view kPackage = "package_";
  constexpr std::string_view kDie = "_die_";
  const auto die = name.find(kDie);
  if (!name.starts_with(kPackage) || die == std::string_view::npos) {
    return domain_instance(path, name);
  }
  return fmt::format("package={},die={}", number_in(name.substr(kPackage.size())),
                     number_in(name.substr(die + kDie.size())));
}

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  constexpr std::size_t kMaxDomains = 256;
  std::vector<DeviceFiles> out;
  for (const auto& name : procfs::names_in(root.sys_path(kFolder), kMaxDomains)) {
    const std::string path = root.sys_path(fmt::format("{}/{}", kFolder, name));
    DeviceFiles& domain = out.emplace_back(metrics, instance_of(path, name));
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      domain.add(i, fmt::format("{}/{}", path, kRows[i].key));
    }
  }
  return out;
}

std::vector<MetricDescriptor> uncore_frequency_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_uncore_frequency() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      uncore_frequency_metrics(),
      ScannedSource<DeviceFiles>{.scan = scan,
                                 .watched = {kFolder},
                                 .none = "no uncore that says its frequency",
                                 .remedy = "modprobe intel_uncore_frequency (Intel, Linux 5.6)"});
}

}  // namespace

extern const CollectorDescriptor kUncoreFrequencyCollector = {
    .name = "uncore_frequency",
    .help = "clock of what cores share",
    .make = make_uncore_frequency,
    .metrics = uncore_frequency_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
