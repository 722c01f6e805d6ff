// The table of hindrances. To add one, add its row; cli/named_metrics_test.cc asks that it exists.
//
// Least rises are what an operator would call something, not tuned on recordings: a tenth of the
// time in which somebody waits for a core or a disk, a twentieth for memory; one error of the kind
// that should never be; for what networks and disks do a little of all the time, a rate that costs
// a job something. Metrics that say the same in other words (iowait beside I/O pressure) are left
// out, and counts whose weight depends on how much a host sends, where a share tells it (lost
// retransmits beside the retransmission share: a fast host loses a hundred in one burst, and its
// job goes on as before).
#include "detect/hindrances.h"

#include <algorithm>
#include <array>
#include <map>

#include "feature/level.h"

namespace reveal::detect {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr std::string_view kCpuPressure = "cpu_pressure_some_seconds_total";
constexpr std::string_view kIoPressure = "storage_io_pressure_some_seconds_total";

constexpr std::array kHindrances{
    // Processors.
    Hindrance{kCpuPressure, 0.1},
    Hindrance{"cpu_irq_pressure_full_seconds_total", 0.05},
    Hindrance{"cpu_cgroup_throttled_seconds_total", 0.05},
    Hindrance{"cpu_steal_ratio", 0.05},
    Hindrance{"cpu_package_throttles_total", 1},
    Hindrance{"cpu_soft_lockups_total", 1},
    Hindrance{"cpu_hung_tasks_total", 1},
    Hindrance{"cpu_hardware_errors_total", 1},
    // GPUs.
    Hindrance{"gpu_throttle_power_cap_active", 0.3},
    Hindrance{"gpu_throttle_hardware_active", 0.3},
    Hindrance{"gpu_throttle_heat_active", 0.3},
    Hindrance{"gpu_throttle_hardware_heat_active", 0.3},
    Hindrance{"gpu_throttle_power_brake_active", 0.3},
    Hindrance{"gpu_kernel_xid_errors_total", 1},
    Hindrance{"gpu_kernel_sxid_errors_total", 1},
    Hindrance{"gpu_kernel_pcie_errors_total", 1},
    Hindrance{"gpu_ecc_uncorrected_volatile_errors_total", 1},
    Hindrance{"gpu_pcie_replays_total", 10},
    Hindrance{"gpu_nvlink_replays_total", 10},
    Hindrance{"gpu_nvlink_recoveries_total", 1},
    // Memory.
    Hindrance{"memory_pressure_some_seconds_total", 0.05},
    Hindrance{"memory_swapped_in_pages_total", 300},
    Hindrance{"memory_swapped_out_pages_total", 300},
    Hindrance{"memory_reclaimed_direct_pages_total", 1000},
    Hindrance{"memory_allocation_stalls_normal_total", 3},
    Hindrance{"memory_allocation_stalls_movable_total", 3},
    Hindrance{"memory_compaction_stalls_total", 3},
    Hindrance{"memory_oom_kills_total", 1},
    Hindrance{"memory_numa_other_total", 3000},
    Hindrance{"memory_hugepages_idle_ratio", 0.02},
    Hindrance{"memory_hugepages_unused_ratio", 0.02},
    // Network.
    Hindrance{"network_receive_drops_total", 10},
    Hindrance{"network_send_drops_total", 10},
    Hindrance{"network_receive_errors_total", 3},
    Hindrance{"network_send_errors_total", 3},
    Hindrance{"network_receive_missed_total", 3},
    Hindrance{"network_receive_crc_errors_total", 1},
    Hindrance{"network_carrier_changes_total", 1},
    Hindrance{"network_softnet_drops_total", 3},
    Hindrance{"network_softnet_squeezes_total", 100},
    Hindrance{"network_tcp_retransmit_ratio", 0.01},
    Hindrance{"network_tcp_out_of_order_total", 3000},
    Hindrance{"network_tcp_timeouts_total", 10},
    Hindrance{"network_tcp_round_trip_p99_seconds", 0.01},
    Hindrance{"network_tcp_delivered_congestion_total", 300},
    Hindrance{"network_tcp_backlog_drops_total", 3},
    Hindrance{"network_tcp_listen_drops_total", 3},
    Hindrance{"network_tcp_prunes_total", 3},
    Hindrance{"network_tcp_memory_pressures_total", 1},
    Hindrance{"network_tcp_receive_queue_drops_total", 3},
    Hindrance{"network_tcp_zero_window_drops_total", 3},
    Hindrance{"network_rdma_out_of_buffer_total", 10},
    Hindrance{"network_rdma_out_of_sequence_total", 10},
    Hindrance{"network_rdma_receiver_not_ready_total", 3},
    Hindrance{"network_rdma_sequence_errors_total", 10},
    Hindrance{"network_rdma_acknowledgement_timeouts_total", 1},
    Hindrance{"network_rdma_adaptive_retransmissions_total", 10},
    Hindrance{"network_rdma_congestion_notices_handled_total", 100},
    Hindrance{"network_infiniband_symbol_errors_total", 1},
    Hindrance{"network_infiniband_receive_errors_total", 1},
    Hindrance{"network_infiniband_link_recoveries_total", 1},
    Hindrance{"network_infiniband_link_integrity_errors_total", 1},
    Hindrance{"network_infiniband_buffer_overruns_total", 1},
    Hindrance{"network_infiniband_send_discards_total", 1},
    Hindrance{"network_priority_paused_seconds_total", 0.05},
    Hindrance{"network_pause_storm_warnings_total", 1},
    Hindrance{"network_port_receive_discards_total", 10},
    Hindrance{"network_port_crc_errors_total", 1},
    Hindrance{"network_pcie_write_stalled_ratio", 0.1},
    Hindrance{"network_pcie_read_stalled_ratio", 0.1},
    // Storage.
    Hindrance{kIoPressure, 0.1},
    Hindrance{"storage_io_pressure_full_seconds_total", 0.1},
    Hindrance{"storage_queue_depth", 2},
    Hindrance{"memory_writeback_bytes", 8 * kMiB},
    Hindrance{"storage_kernel_io_errors_total", 1},
    Hindrance{"storage_nvme_timeouts_total", 1},
    Hindrance{"storage_nfs_retransmits_total", 10},
};

}  // namespace

std::span<const Hindrance> hindrances() {
  return kHindrances;
}

std::vector<double> least_rises(const feature::FeatureMatrix& matrix,
                                const model::ChannelTable& channels) {
  std::map<std::string_view, double> by_metric;
  for (const auto& row : kHindrances) by_metric.emplace(row.metric, row.least);
  std::vector<double> out(matrix.column_count(), 0.0);
  for (std::size_t column = 0; column < out.size(); ++column) {
    const auto key = matrix.column(column);
    const auto& metric = channels.metric(key.channel);
    if (!feature::is_level(metric, key.feature)) continue;
    const auto found = by_metric.find(metric.name);
    if (found != by_metric.end()) out[column] = found->second;
  }
  return out;
}

bool tells_what_waits(const model::ChannelTable& channels) {
  bool cpu = false;
  bool io = false;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const auto name = channels.metric(model::ChannelId(i)).name;
    cpu = cpu || name == kCpuPressure;
    io = io || name == kIoPressure;
  }
  return cpu && io;
}

}  // namespace reveal::detect
