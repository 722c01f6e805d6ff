// /sys/class/hwmon: temperatures, fans, powers, voltages and currents of whatever measures them.
// A sensor may sit behind a slow bus or a firmware that is busy, and answers EIO, EAGAIN or ENODATA
// when it cannot say: its value is then missing.
#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/scanned_collector.h"
#include "collect/power/hwmon_sensors.h"
#include "collect/power/sensor_bounds.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Subsystem;

constexpr std::string_view kFolder = "class/hwmon";

constexpr MetricDescriptor row(std::string_view unit, double scale, std::string_view source,
                               std::string_view alias, std::string_view name,
                               std::string_view label, std::string_view help, std::int16_t rank,
                               Subsystem subsystem) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.repr = model::Repr::kF64;  // a number may be negative
  out.subsystem = subsystem;
  out.scope = model::Scope::kDevice;
  out.scale = scale;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/hwmon/sysfs-interface.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor celsius(std::string_view source, std::string_view alias,
                                   std::string_view name, std::string_view label,
                                   std::string_view help, std::int16_t rank,
                                   Subsystem subsystem = Subsystem::kCpu) {
  return row("celsius", 1e-3, source, alias, name, label, help, rank, subsystem);
}

constexpr MetricDescriptor counter(MetricDescriptor out) {
  out.kind = model::Kind::kCounter;
  out.repr = model::Repr::kU64;
  return out;
}

// In the order of SensorMetric.
constexpr MetricDescriptor kMetrics[] = {
    celsius("/sys/class/hwmon/hwmon*/temp*_input of coretemp cores", "CoreTmp",
            "cpu_core_temperature_celsius", "Core temperature",
            "Temperature of a core, by the number that its package gives it.", 30),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of coretemp packages", "PkgTmp",
            "cpu_package_temperature_celsius", "Package temperature",
            "Temperature of the hottest part of an Intel package.", 20),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of k10temp Tctl", "Tctl",
            "cpu_control_temperature_celsius", "Control temperature",
            "The scale, not quite a temperature, by which an AMD processor slows down.", 20),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of k10temp Tccd", "Tccd",
            "cpu_ccd_temperature_celsius", "Core die temperature",
            "Temperature of one core die of an AMD processor.", 40),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of drives", "nvme Composite",
            "storage_drive_temperature_celsius", "Drive temperature",
            "Temperature by which an NVMe or SATA drive judges itself.", 30, Subsystem::kStorage),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of other nvme sensors", "nvme Sensor",
            "storage_drive_sensor_temperature_celsius", "Drive sensor temperature",
            "Temperature at one place of an NVMe drive.", 120, Subsystem::kStorage),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of memory modules", "jc42, spd5118",
            "memory_module_temperature_celsius", "Memory module temperature",
            "Temperature of a memory module.", 40, Subsystem::kMemory),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of network adapters", "mlx5 asic",
            "network_adapter_temperature_celsius", "Network adapter temperature",
            "Temperature of a network adapter or of a module plugged into it.", 30,
            Subsystem::kNetwork),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of GPUs", "nouveau, xe",
            "gpu_sensor_temperature_celsius", "GPU sensor temperature",
            "Temperature of a GPU whose own collector does not read it.", 60, Subsystem::kGpu),
    celsius("/sys/class/hwmon/hwmon*/temp*_input of others", "sensors temp",
            "cpu_board_temperature_celsius", "Board temperature",
            "Temperature at some other place: board, air inlet, power supply.", 120),
    row("rpm", 1.0, "/sys/class/hwmon/hwmon*/fan*_input", "sensors fan", "cpu_fan_speed_rpm",
        "Fan speed", "Revolutions of a fan per minute.", 60, Subsystem::kCpu),
    row("watts", 1e-6, "/sys/class/hwmon/hwmon*/power*_{average,input}", "sensors power",
        "cpu_sensor_power_watts", "Power by a sensor",
        "Power that a supply, a rail or a package draws.", 40, Subsystem::kCpu),
    row("volts", 1e-3, "/sys/class/hwmon/hwmon*/in*_input", "sensors in",
        "cpu_sensor_voltage_volts", "Voltage by a sensor", "Voltage of a supply or a rail.", 150,
        Subsystem::kCpu),
    row("amperes", 1e-3, "/sys/class/hwmon/hwmon*/curr*_input", "sensors curr",
        "cpu_sensor_current_amperes", "Current by a sensor", "Current of a supply or a rail.", 120,
        Subsystem::kCpu),
    counter(row("joules", 1e-6, "/sys/class/hwmon/hwmon*/energy*_input", "sensors energy",
                "cpu_sensor_energy_joules_total", "Energy by a sensor",
                "Energy that a package or a board has used.", 60, Subsystem::kCpu)),
};
static_assert(std::size(kMetrics) == static_cast<std::size_t>(SensorMetric::kEnergy) + 1);

// A counter of energy has no number that means nothing.
ReadReal reader_of(SensorMetric metric) {
  switch (metric) {
    case SensorMetric::kFan:
      return parse_fan_speed;
    case SensorMetric::kPower:
    case SensorMetric::kVoltage:
    case SensorMetric::kCurrent:
      return parse_reading;
    case SensorMetric::kEnergy:
      return nullptr;
    default:
      return parse_temperature;
  }
}

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  std::vector<DeviceFiles> out;
  for (auto& sensor : find_sensors(root.sys_path(kFolder))) {
    DeviceFiles& device = out.emplace_back(metrics, std::move(sensor.instance));
    const auto row = static_cast<std::size_t>(sensor.metric);
    if (const ReadReal reader = reader_of(sensor.metric)) {
      device.add(row, std::move(sensor.input), reader);
    } else {
      device.add(row, std::move(sensor.input));
    }
    if (!sensor.fault.empty()) device.unless(std::move(sensor.fault));
  }
  return out;
}

std::vector<MetricDescriptor> hwmon_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_hwmon() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      hwmon_metrics(),
      ScannedSource<DeviceFiles>{
          .scan = scan,
          .watched = {kFolder},
          .none = "no hardware sensor",
          .remedy = "load the drivers of the sensors (coretemp, k10temp, nvme, jc42, or what "
                    "sensors-detect finds); in a virtual machine the host has them"});
}

}  // namespace

extern const CollectorDescriptor kHwmonCollector = {
    .name = "hwmon",
    .help = "temperatures, fans and powers",
    .make = make_hwmon,
    .metrics = hwmon_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
