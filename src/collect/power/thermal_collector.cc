// /sys/class/thermal: the firmware's and the drivers' thermal zones, and how hard what cools them
// works. A zone goes by its type; zones of one type are told apart by their order.
#include <map>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/scanned_collector.h"
#include "collect/power/sensor_bounds.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

enum Row : std::size_t { kTemperature, kLevel, kHighestLevel };

constexpr std::string_view kFolder = "class/thermal";

constexpr MetricDescriptor row(std::string_view unit, std::string_view source,
                               std::string_view alias, std::string_view name,
                               std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/driver-api/thermal/sysfs-api.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor celsius(MetricDescriptor out) {
  out.scale = 1e-3;
  out.repr = model::Repr::kF64;  // may be negative
  return out;
}

constexpr MetricDescriptor fact(MetricDescriptor out) {
  out.kind = Kind::kStatic;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    celsius(row("celsius", "/sys/class/thermal/thermal_zone*/temp", "thermal_zone",
                "cpu_thermal_zone_celsius", "Thermal zone temperature",
                "Temperature of a part of the host that the kernel keeps cool.", 80)),
    row("level", "/sys/class/thermal/cooling_device*/cur_state", "cooling_device",
        "cpu_cooling_level", "Cooling level",
        "How hard a fan works or a processor is held back, from 0 to the highest level.", 100),
    fact(row("level", "/sys/class/thermal/cooling_device*/max_state", "cooling_device max_state",
             "cpu_cooling_highest_level", "Highest cooling level",
             "Level at which the cooling device does all it can.", 200)),
};

// Names the devices of one type: "acpitz", "acpitz#2".
class TypeNames {
 public:
  std::string next(const std::string& type) {
    const int count = ++seen_[type];
    const auto text = instance_text(type.empty() ? "unknown" : type);
    return count == 1 ? text : fmt::format("{}#{}", text, count);
  }

 private:
  std::map<std::string, int> seen_;
};

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  constexpr std::size_t kMax = 1024;
  std::vector<DeviceFiles> out;
  TypeNames zones;
  TypeNames coolers;
  for (const auto& name : procfs::names_in(root.sys_path(kFolder), kMax)) {
    const std::string path = root.sys_path(fmt::format("{}/{}", kFolder, name));
    const auto type = procfs::read_line(path + "/type");
    if (name.starts_with("thermal_zone")) {
      out.emplace_back(metrics, fmt::format("zone={}", zones.next(type)))
          .add(kTemperature, path + "/temp", parse_temperature);
    } else if (name.starts_with("cooling_device")) {
      auto& device = out.emplace_back(metrics, fmt::format("cooling={}", coolers.next(type)));
      device.add(kLevel, path + "/cur_state");
      device.add(kHighestLevel, path + "/max_state");
    }
  }
  return out;
}

std::vector<MetricDescriptor> thermal_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_thermal() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      thermal_metrics(), ScannedSource<DeviceFiles>{.scan = scan,
                                                    .watched = {kFolder},
                                                    .none = "no thermal zone or cooling device",
                                                    .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kThermalCollector = {
    .name = "thermal",
    .help = "thermal zones and cooling",
    .make = make_thermal,
    .metrics = thermal_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
