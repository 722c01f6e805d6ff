#include "collect/power/hwmon_sensors.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "collect/parts/device_files.h"
#include "procfs/attribute_file.h"
#include "procfs/directory.h"

namespace reveal::collect {
namespace {

struct Prefix {
  std::string_view text;
  SensorMetric metric;  // temperatures depend on the chip as well
};
constexpr Prefix kPrefixes[] = {
    {"temp", SensorMetric::kBoardTemperature}, {"fan", SensorMetric::kFan},
    {"power", SensorMetric::kPower},           {"in", SensorMetric::kVoltage},
    {"curr", SensorMetric::kCurrent},          {"energy", SensorMetric::kEnergy},
};

struct Chip {
  std::string folder;
  std::string driver;  // "coretemp", "nvme", as the file `name` says
  std::string device;  // name of the device that it is part of; empty for one of the firmware
  std::string place;   // the chip's part of an instance: "chip=coretemp.0"
  SensorMetric temperature{};
};

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Returns which metric the temperatures of a chip are of, as its driver or the class of its PCI
// function says.
SensorMetric temperature_of(const Chip& chip) {
  if (is_any_of(chip.driver, {"jc42", "spd5118"})) return SensorMetric::kMemoryTemperature;
  if (is_any_of(chip.driver, {"nvme", "drivetemp"})) return SensorMetric::kDriveTemperature;
  const auto pci_class = procfs::read_line(chip.folder + "/device/class");
  if (pci_class.starts_with("0x02")) return SensorMetric::kNetworkTemperature;
  if (pci_class.starts_with("0x03")) return SensorMetric::kGpuTemperature;
  return SensorMetric::kBoardTemperature;
}

// Returns the name of a drive as the other metrics of disks have it, for drivetemp.
std::string disk_of(const std::string& folder) {
  const auto names = procfs::names_in(folder + "/device/block", 1);
  return names.empty() ? std::string() : names.front();
}

std::string place_of(const Chip& chip) {
  if (chip.driver == "nvme") return fmt::format("dev={}", instance_text(chip.device));
  if (chip.driver == "drivetemp") {
    const auto disk = disk_of(chip.folder);
    return fmt::format("dev={}", instance_text(disk.empty() ? chip.device : disk));
  }
  if (chip.device.empty()) return fmt::format("chip={}", instance_text(chip.driver));
  const auto device = instance_text(chip.device);
  if (device.starts_with(chip.driver)) return fmt::format("chip={}", device);
  return fmt::format("chip={}@{}", instance_text(chip.driver), device);
}

// Drivers of the interface before Linux 3.13 have the name and the sensors in the folder of the
// device.
Chip chip_in(const std::string& folder) {
  Chip chip;
  chip.folder = folder;
  chip.driver = procfs::read_line(folder + "/name");
  if (chip.driver.empty()) {
    const std::string device = folder + "/device";
    chip.driver = procfs::read_line(device + "/name");
    if (!chip.driver.empty()) chip.folder = device;
  }
  chip.device = procfs::target_name(folder + "/device");
  chip.place = place_of(chip);
  chip.temperature = temperature_of(chip);
  return chip;
}

// A chip without a device of its own may have the driver of another one: "chip=dell_smm#2".
class ChipPlaces {
 public:
  std::string unique(std::string place) {
    const int count = ++seen_[place];
    return count == 1 ? std::move(place) : fmt::format("{}#{}", place, count);
  }

 private:
  std::map<std::string, int> seen_;
};

// Returns the text behind `prefix`, nothing if `text` does not start with it.
std::optional<std::string_view> behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

void set_core_or_package(const Chip& chip, std::string_view label, Sensor& sensor) {
  const auto platform = behind(chip.device, "coretemp.").value_or("");
  if (const auto core = behind(label, "Core ")) {
    sensor.metric = SensorMetric::kCoreTemperature;
    sensor.instance =
        fmt::format("package={},core={}", instance_text(platform), instance_text(*core));
  } else if (const auto package = behind(label, "Package id ")) {
    sensor.metric = SensorMetric::kPackageTemperature;
    sensor.instance = fmt::format("package={}", instance_text(*package));
  }
}

// Gives the temperature of a known driver its own metric and a shorter instance.
void refine(const Chip& chip, std::string_view label, Sensor& sensor) {
  if (chip.driver == "coretemp") set_core_or_package(chip, label, sensor);
  if (is_any_of(chip.driver, {"k10temp", "zenpower"})) {
    if (label == "Tctl") {
      sensor.metric = SensorMetric::kControlTemperature;
      sensor.instance = chip.place;
    } else if (const auto die = behind(label, "Tccd")) {
      sensor.metric = SensorMetric::kDieTemperature;
      sensor.instance = fmt::format("{},ccd={}", chip.place, instance_text(*die));
    }
  }
  if (sensor.metric != SensorMetric::kDriveTemperature) return;
  if (label == "Composite" || chip.driver == "drivetemp") {
    sensor.instance = chip.place;
  } else {
    sensor.metric = SensorMetric::kDriveSensorTemperature;
  }
}

class ChipScan {
 public:
  ChipScan(Chip chip, std::vector<Sensor>& out) : chip_(std::move(chip)), out_(out) {}

  void run() {
    const auto files = procfs::names_in(chip_.folder);
    for (const auto& file : files) {
      for (const auto& prefix : kPrefixes) try_file(file, prefix);
    }
  }

 private:
  // Takes "temp3_input", and "power1_average" or, if there is none, "power1_input".
  void try_file(std::string_view file, const Prefix& prefix) {
    auto rest = behind(file, prefix.text);
    if (!rest) return;
    const auto underscore = rest->find('_');
    const auto number = rest->substr(0, underscore);
    if (underscore == std::string_view::npos || !procfs::parse_u64(number)) return;
    const auto item = rest->substr(underscore + 1);
    const auto stem = fmt::format("{}{}", prefix.text, number);
    const bool average = prefix.metric == SensorMetric::kPower && item == "average";
    if (!average && item != "input") return;
    if (!average && prefix.metric == SensorMetric::kPower && exists(stem + "_average")) return;
    add(prefix.metric, stem, path(file));
  }

  void add(SensorMetric metric, const std::string& stem, std::string input) {
    if (out_.size() >= kMaxSensors) return;
    const auto label = procfs::read_line(path(stem + "_label"));
    Sensor sensor{metric, "", std::move(input), ""};
    sensor.instance = fmt::format("{},sensor={}", chip_.place, name_of(metric, label, stem));
    if (metric == SensorMetric::kBoardTemperature) {
      sensor.metric = chip_.temperature;
      refine(chip_, label, sensor);
    }
    if (exists(stem + "_fault")) sensor.fault = path(stem + "_fault");
    out_.push_back(std::move(sensor));
  }

  // A sensor without a label, or with another's of its kind, goes by its number.
  std::string name_of(SensorMetric metric, const std::string& label, const std::string& stem) {
    std::string name = instance_text(label);
    if (name.empty() || !taken_.insert({metric, name}).second) return stem;
    return name;
  }

  std::string path(std::string_view file) const { return fmt::format("{}/{}", chip_.folder, file); }
  bool exists(std::string_view file) const { return ::access(path(file).c_str(), F_OK) == 0; }

  Chip chip_;
  std::vector<Sensor>& out_;
  std::set<std::pair<SensorMetric, std::string>> taken_;
};

}  // namespace

std::vector<Sensor> find_sensors(const std::string& hwmon_folder) {
  constexpr std::size_t kMaxChips = 512;
  std::vector<Sensor> out;
  ChipPlaces places;
  for (const auto& name : procfs::names_in(hwmon_folder, kMaxChips)) {
    Chip chip = chip_in(fmt::format("{}/{}", hwmon_folder, name));
    if (chip.driver == "amdgpu") continue;
    chip.place = places.unique(std::move(chip.place));
    ChipScan(std::move(chip), out).run();
  }
  return out;
}

}  // namespace reveal::collect
