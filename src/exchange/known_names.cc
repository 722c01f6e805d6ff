#include "exchange/known_names.h"

namespace reveal::exchange {
namespace {

// All are counters of time.
struct KnownName {
  std::string_view theirs;
  std::string_view ours;
  double scale;  // to seconds
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
    // PCP, in microseconds
    {"kernel_all_pressure_cpu_some_total", "cpu_pressure_some_seconds_total", 1e-6},
    {"kernel_all_pressure_memory_some_total", "memory_pressure_some_seconds_total", 1e-6},
    {"kernel_all_pressure_memory_full_total", "memory_pressure_full_seconds_total", 1e-6},
    {"kernel_all_pressure_io_some_total", "storage_io_pressure_some_seconds_total", 1e-6},
    {"kernel_all_pressure_io_full_total", "storage_io_pressure_full_seconds_total", 1e-6},
};

constexpr std::string_view kTheirDevice = "device=";

}  // namespace

void take_known_name(std::string_view metric, const std::string& instance, MappingRule& rule) {
  for (const auto& known : kKnownNames) {
    if (known.theirs != metric) continue;
    rule.metric = known.ours;
    if (!rule.instance && instance.starts_with(kTheirDevice)) {
      rule.instance = "dev=" + instance.substr(kTheirDevice.size());
    }
    if (!rule.kind) rule.kind = model::Kind::kCounter;
    if (rule.unit) return;
    rule.unit = "seconds";
    if (!rule.scale) rule.scale = known.scale;
  }
}

}  // namespace reveal::exchange
