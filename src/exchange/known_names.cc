#include "exchange/known_names.h"

#include <algorithm>

namespace reveal::exchange {
namespace {

// All are counters.
struct KnownName {
  std::string_view theirs;
  std::string_view ours;
  double scale;  // to the unit
  std::string_view unit = "seconds";
};
constexpr KnownName kKnownNames[] = {
    // node_exporter
    {"node_pressure_cpu_waiting_seconds_total", "cpu_pressure_some_seconds_total", 1},
    {"node_pressure_memory_waiting_seconds_total", "memory_pressure_some_seconds_total", 1},
    {"node_pressure_memory_stalled_seconds_total", "memory_pressure_full_seconds_total", 1},
    {"node_pressure_io_waiting_seconds_total", "storage_io_pressure_some_seconds_total", 1},
    {"node_pressure_io_stalled_seconds_total", "storage_io_pressure_full_seconds_total", 1},
    {"node_disk_io_time_seconds_total", "storage_busy_seconds_total", 1},
    {"node_disk_io_time_weighted_seconds_total", "storage_queue_seconds_total", 1},
    // OpenTelemetry's host metrics
    {"system_disk_io_time", "storage_busy_seconds_total", 1},
    {"system_disk_weighted_io_time", "storage_queue_seconds_total", 1},
    // PCP, in microseconds
    {"kernel_all_pressure_cpu_some_total", "cpu_pressure_some_seconds_total", 1e-6},
    {"kernel_all_pressure_memory_some_total", "memory_pressure_some_seconds_total", 1e-6},
    {"kernel_all_pressure_memory_full_total", "memory_pressure_full_seconds_total", 1e-6},
    {"kernel_all_pressure_io_some_total", "storage_io_pressure_some_seconds_total", 1e-6},
    {"kernel_all_pressure_io_full_total", "storage_io_pressure_full_seconds_total", 1e-6},
    // cAdvisor and the kubelet, by control group
    {"container_cpu_cfs_throttled_seconds_total", "cpu_cgroup_throttled_seconds_total", 1},
    {"container_pressure_cpu_waiting_seconds_total", "cpu_cgroup_pressure_some_seconds_total", 1},
    {"container_pressure_memory_waiting_seconds_total", "memory_cgroup_pressure_some_seconds_total",
     1},
    {"container_pressure_memory_stalled_seconds_total", "memory_cgroup_pressure_full_seconds_total",
     1},
    {"container_pressure_io_waiting_seconds_total", "storage_cgroup_pressure_some_seconds_total",
     1},
    {"container_pressure_io_stalled_seconds_total", "storage_cgroup_pressure_full_seconds_total",
     1},
    {"container_fs_reads_bytes_total", "storage_cgroup_read_bytes_total", 1, "bytes"},
    {"container_fs_writes_bytes_total", "storage_cgroup_written_bytes_total", 1, "bytes"},
};

constexpr std::string_view kTheirDevice = "device=";

// Returns the value of a key ("id=") of an instance, or nothing.
std::string_view label_value(std::string_view instance, std::string_view key) {
  while (!instance.empty()) {
    const auto part = instance.substr(0, instance.find(','));
    if (part.starts_with(key)) return part.substr(key.size());
    instance.remove_prefix(std::min(part.size() + 1, instance.size()));
  }
  return {};
}

// Returns "cg=/kubepods/pod1,dev=sda" of cAdvisor's labels, whose id is the group's path; nothing
// without it. Names of pods and containers go: they are others after a restart.
std::optional<std::string> group_instance(std::string_view instance) {
  const auto id = label_value(instance, "id=");
  if (id.empty()) return std::nullopt;
  auto device = label_value(instance, kTheirDevice);
  if (device.starts_with("/dev/")) device.remove_prefix(5);
  return "cg=" + std::string(id) + (device.empty() ? "" : ",dev=" + std::string(device));
}

std::optional<std::string> our_instance(std::string_view metric, std::string_view instance) {
  if (metric.starts_with("container_")) return group_instance(instance);
  if (!instance.starts_with(kTheirDevice)) return std::nullopt;
  return "dev=" + std::string(instance.substr(kTheirDevice.size()));
}

}  // namespace

void take_known_name(std::string_view metric, const std::string& instance, MappingRule& rule) {
  for (const auto& known : kKnownNames) {
    if (known.theirs != metric) continue;
    rule.metric = known.ours;
    if (!rule.instance) rule.instance = our_instance(metric, instance);
    if (!rule.kind) rule.kind = model::Kind::kCounter;
    if (rule.unit) return;
    rule.unit = known.unit;
    if (!rule.scale) rule.scale = known.scale;
  }
}

}  // namespace reveal::exchange
