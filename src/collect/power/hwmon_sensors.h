// The sensors of the kernel's hardware monitoring: which chips there are, what each measures, and
// under which metric and instance. The numbers hwmonN are handed out as drivers load and mean
// nothing; a sensor goes by its chip's device and its label, which are the same after a reboot.
// https://docs.kernel.org/hwmon/sysfs-interface.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::collect {

// What a metric of a sensor stands for; also its row.
enum class SensorMetric : std::uint8_t {
  kCoreTemperature,
  kPackageTemperature,
  kControlTemperature,  // AMD's Tctl, which its fans and limits go by
  kDieTemperature,      // of one of AMD's core dies
  kDriveTemperature,
  kDriveSensorTemperature,
  kMemoryTemperature,
  kNetworkTemperature,
  kGpuTemperature,
  kBoardTemperature,  // any other
  kFan,
  kPower,
  kVoltage,
  kCurrent,
  kEnergy,
};

struct Sensor {
  SensorMetric metric;
  std::string instance;
  std::string input;  // path of its value
  std::string fault;  // path of what says that the value means nothing; empty where there is none
};

// Returns the sensors below /sys/class/hwmon, at most kMaxSensors. The chips of amdgpu are left
// out: their GPU's own collector reads them.
std::vector<Sensor> find_sensors(const std::string& hwmon_folder);

inline constexpr std::size_t kMaxSensors = 2048;

}  // namespace reveal::collect
