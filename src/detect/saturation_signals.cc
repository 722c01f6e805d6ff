// The table of saturation signals. To add one, add its row; cli/named_metrics_test.cc asks that it
// exists.
//
// Least rises are what an operator would call something, not tuned on recordings: a tenth of the
// time in which somebody waits for a core or a disk, a twentieth for memory; one error of the kind
// that should never be; for what networks and disks do a little of all the time, a rate that costs
// a job something. Metrics that say the same in other words (iowait beside I/O pressure) are left
// out, and counts whose weight depends on how much a host sends, if a share tells it (lost
// retransmits beside the retransmission share: a fast host loses a hundred in one burst, and its
// job goes on as before).
//
// A control group's pressure has the least rise of the host's: where one task waits all the time,
// the host's is full, and another group's wait shows in its own alone. A group that hits its memory
// limit reclaims at least 32 pages each time, so 30 hits are the host's 1000 pages. What a group's
// own network drops or sends again has the least rise of the host's. A tenth of a GPU that another
// group takes is a tenth of the time in which the job on it waits.
//
// A disk's queue holds hundreds of requests for a few tenths of a second whenever the kernel writes
// back what it gathered, and nobody waits for that. So it counts only if it lasts.
//
// States that count whole things (members of a bond that are down, failed paths) have half of one:
// what holds for most of a window. Of stopped processes and frozen groups, which nobody stops for
// nothing, it is a quarter: two readings a second apart are enough. Send queues are read every ten
// seconds, so that a reading has the drops of three windows.
#include "detect/saturation_signals.h"

#include <algorithm>
#include <array>
#include <map>

#include "feature/level.h"

namespace reveal::detect {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr std::string_view kCpuPressure = "cpu_pressure_some_seconds_total";
constexpr std::string_view kIoPressure = "storage_io_pressure_some_seconds_total";

constexpr std::array kSaturationSignals{
    // Processors.
    SaturationSignal{kCpuPressure, 0.1},
    SaturationSignal{"cpu_irq_pressure_full_seconds_total", 0.05},
    SaturationSignal{"cpu_cgroup_throttled_seconds_total", 0.05},
    SaturationSignal{"cpu_cgroup_pressure_some_seconds_total", 0.1},
    SaturationSignal{"cpu_steal_ratio", 0.05},
    SaturationSignal{"cpu_package_throttles_total", 1},
    SaturationSignal{"cpu_soft_lockups_total", 1},
    SaturationSignal{"cpu_hung_tasks_total", 1},
    SaturationSignal{"cpu_stopped_processes", 0.25},
    SaturationSignal{"cpu_cgroup_frozen_flag", 0.25},
    SaturationSignal{"cpu_hardware_errors_total", 1},
    // GPUs.
    SaturationSignal{"gpu_throttle_power_cap_active", 0.3},
    SaturationSignal{"gpu_throttle_hardware_active", 0.3},
    SaturationSignal{"gpu_throttle_heat_active", 0.3},
    SaturationSignal{"gpu_throttle_hardware_heat_active", 0.3},
    SaturationSignal{"gpu_throttle_power_brake_active", 0.3},
    SaturationSignal{"gpu_shared_sm_busy_ratio", 0.1},
    SaturationSignal{"gpu_kernel_xid_errors_total", 1},
    SaturationSignal{"gpu_kernel_sxid_errors_total", 1},
    SaturationSignal{"gpu_kernel_pcie_errors_total", 1},
    SaturationSignal{"gpu_ecc_uncorrected_volatile_errors_total", 1},
    SaturationSignal{"gpu_pcie_replays_total", 10},
    SaturationSignal{"gpu_nvlink_replays_total", 10},
    SaturationSignal{"gpu_nvlink_recoveries_total", 1},
    SaturationSignal{"gpu_nvlink_crc_errors_total", 10},
    SaturationSignal{"gpu_xid_errors_total", 1},
    SaturationSignal{"gpu_amd_uncorrected_errors_total", 1},
    SaturationSignal{"gpu_amd_power_throttle_flag", 0.3},
    SaturationSignal{"gpu_amd_current_throttle_flag", 0.3},
    SaturationSignal{"gpu_amd_thermal_throttle_flag", 0.3},
    SaturationSignal{"gpu_amd_power_limited_ratio", 0.3},
    SaturationSignal{"gpu_amd_heat_limited_ratio", 0.3},
    SaturationSignal{"gpu_pcie_fatal_errors_total", 1},
    SaturationSignal{"gpu_pcie_nonfatal_errors_total", 1},
    // Memory.
    SaturationSignal{"memory_pressure_some_seconds_total", 0.05},
    SaturationSignal{"memory_cgroup_pressure_some_seconds_total", 0.05},
    SaturationSignal{"memory_cgroup_limit_hits_total", 30},
    SaturationSignal{"memory_cgroup_oom_kills_total", 1},
    SaturationSignal{"memory_uncorrected_errors_total", 1},
    SaturationSignal{"memory_swapped_in_pages_total", 300},
    SaturationSignal{"memory_swapped_out_pages_total", 300},
    SaturationSignal{"memory_reclaimed_direct_pages_total", 1000},
    SaturationSignal{"memory_allocation_stalls_normal_total", 3},
    SaturationSignal{"memory_allocation_stalls_movable_total", 3},
    SaturationSignal{"memory_compaction_stalls_total", 3},
    SaturationSignal{"memory_oom_kills_total", 1},
    SaturationSignal{"memory_numa_other_total", 3000},
    SaturationSignal{"memory_hugepages_idle_ratio", 0.02},
    SaturationSignal{"memory_hugepages_unused_ratio", 0.02},
    // Network.
    SaturationSignal{"network_receive_drops_total", 10},
    SaturationSignal{"network_send_drops_total", 10},
    SaturationSignal{"network_receive_errors_total", 3},
    SaturationSignal{"network_send_errors_total", 3},
    SaturationSignal{"network_receive_missed_total", 3},
    SaturationSignal{"network_receive_crc_errors_total", 1},
    SaturationSignal{"network_receive_frame_errors_total", 3},
    SaturationSignal{"network_receive_fifo_errors_total", 3},
    SaturationSignal{"network_carrier_errors_total", 3},
    SaturationSignal{"network_ip_receive_discards_total", 10},
    SaturationSignal{"network_ip_send_discards_total", 10},
    SaturationSignal{"network_udp_checksum_errors_total", 3},
    SaturationSignal{"network_udp_receive_buffer_errors_total", 10},
    SaturationSignal{"network_udp_send_buffer_errors_total", 10},
    SaturationSignal{"network_udp6_checksum_errors_total", 3},
    SaturationSignal{"network_udp6_receive_buffer_errors_total", 10},
    SaturationSignal{"network_udp6_send_buffer_errors_total", 10},
    SaturationSignal{"network_carrier_changes_total", 1},
    SaturationSignal{"network_bond_down_members", 0.5},
    SaturationSignal{"network_conntrack_drops_total", 3},
    SaturationSignal{"network_conntrack_early_drops_total", 3},
    SaturationSignal{"network_neighbor_table_fulls_total", 3},
    SaturationSignal{"network_qdisc_drops_total", 30},
    SaturationSignal{"network_softnet_drops_total", 3},
    SaturationSignal{"network_softnet_squeezes_total", 100},
    SaturationSignal{"network_tcp_retransmit_ratio", 0.01},
    SaturationSignal{"network_cgroup_tcp_retransmit_ratio", 0.01},
    SaturationSignal{"network_cgroup_receive_drops_total", 10},
    SaturationSignal{"network_cgroup_send_drops_total", 10},
    SaturationSignal{"network_cgroup_receive_errors_total", 3},
    SaturationSignal{"network_cgroup_send_errors_total", 3},
    SaturationSignal{"network_cgroup_udp_receive_buffer_errors_total", 10},
    SaturationSignal{"network_tcp_checksum_errors_total", 3},
    SaturationSignal{"network_tcp_retransmit_failures_total", 3},
    SaturationSignal{"network_tcp_timeout_aborts_total", 3},
    SaturationSignal{"network_tcp_out_of_order_drops_total", 3},
    SaturationSignal{"network_tcp_out_of_order_total", 3000},
    SaturationSignal{"network_tcp_timeouts_total", 10},
    SaturationSignal{"network_tcp_round_trip_p99_seconds", 0.01},
    SaturationSignal{"network_tcp_delivered_congestion_total", 300},
    SaturationSignal{"network_tcp_backlog_drops_total", 3},
    SaturationSignal{"network_tcp_listen_drops_total", 3},
    SaturationSignal{"network_tcp_prunes_total", 3},
    SaturationSignal{"network_tcp_memory_pressures_total", 1},
    SaturationSignal{"network_tcp_receive_queue_drops_total", 3},
    SaturationSignal{"network_tcp_zero_window_drops_total", 3},
    SaturationSignal{"network_rdma_out_of_buffer_total", 10},
    SaturationSignal{"network_rdma_out_of_sequence_total", 10},
    SaturationSignal{"network_rdma_receiver_not_ready_total", 3},
    SaturationSignal{"network_rdma_sequence_errors_total", 10},
    SaturationSignal{"network_rdma_acknowledgement_timeouts_total", 1},
    SaturationSignal{"network_rdma_icrc_errors_total", 1},
    SaturationSignal{"network_rdma_requester_completion_errors_total", 1},
    SaturationSignal{"network_rdma_responder_completion_errors_total", 1},
    SaturationSignal{"network_rdma_adaptive_retransmissions_total", 10},
    SaturationSignal{"network_rdma_congestion_notices_handled_total", 100},
    SaturationSignal{"network_infiniband_symbol_errors_total", 1},
    SaturationSignal{"network_infiniband_receive_errors_total", 1},
    SaturationSignal{"network_infiniband_link_recoveries_total", 1},
    SaturationSignal{"network_infiniband_link_failures_total", 1},
    SaturationSignal{"network_infiniband_link_integrity_errors_total", 1},
    SaturationSignal{"network_infiniband_buffer_overruns_total", 1},
    SaturationSignal{"network_infiniband_send_discards_total", 1},
    SaturationSignal{"network_priority_paused_seconds_total", 0.05},
    SaturationSignal{"network_pause_storm_warnings_total", 1},
    SaturationSignal{"network_port_receive_discards_total", 10},
    SaturationSignal{"network_port_crc_errors_total", 1},
    SaturationSignal{"network_pcie_write_stalled_ratio", 0.1},
    SaturationSignal{"network_pcie_read_stalled_ratio", 0.1},
    // Storage.
    SaturationSignal{kIoPressure, 0.1},
    SaturationSignal{"storage_io_pressure_full_seconds_total", 0.1},
    SaturationSignal{"storage_cgroup_pressure_some_seconds_total", 0.1},
    SaturationSignal{"storage_queue_depth", 2, true},
    SaturationSignal{"memory_writeback_bytes", 8 * kMiB},
    SaturationSignal{"storage_kernel_io_errors_total", 1},
    SaturationSignal{"storage_nvme_timeouts_total", 1},
    SaturationSignal{"storage_nvme_media_errors_total", 1},
    SaturationSignal{"storage_nfs_retransmits_total", 10},
    SaturationSignal{"storage_nfs_mount_retransmits_total", 10},
    SaturationSignal{"storage_nfs_mount_timeouts_total", 1},
    SaturationSignal{"storage_multipath_failed_paths", 0.5},
    SaturationSignal{"storage_multipath_suspended_flag", 0.5},
    SaturationSignal{"storage_fc_link_failures_total", 1},
    SaturationSignal{"storage_fc_crc_errors_total", 1},
    SaturationSignal{"storage_fc_delivery_notices_total", 1},
    SaturationSignal{"storage_btrfs_read_errors_total", 1},
    SaturationSignal{"storage_btrfs_write_errors_total", 1},
    SaturationSignal{"storage_zfs_memory_throttles_total", 3},
};

bool is_median(feature::FeatureId feature) {
  return feature::descriptor(feature).name == "median";
}

// Features are chosen for all channels alike.
bool has_medians(const feature::FeatureMatrix& matrix) {
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    if (is_median(matrix.column(column).feature)) return true;
  }
  return false;
}

}  // namespace

std::span<const SaturationSignal> saturation_signals() {
  return kSaturationSignals;
}

const SaturationSignal* find_saturation_signal(std::string_view metric) {
  const auto* found = std::ranges::find(kSaturationSignals, metric, &SaturationSignal::metric);
  return found == kSaturationSignals.end() ? nullptr : found;
}

std::vector<double> least_rises(const feature::FeatureMatrix& matrix,
                                const model::ChannelTable& channels) {
  std::map<std::string_view, const SaturationSignal*> by_metric;
  for (const auto& row : kSaturationSignals) by_metric.emplace(row.metric, &row);
  const bool others_tell = has_pressure_metrics(channels) && has_medians(matrix);
  std::vector<double> out(matrix.column_count(), 0.0);
  for (std::size_t column = 0; column < out.size(); ++column) {
    const auto key = matrix.column(column);
    const auto& metric = channels.metric(key.channel);
    const auto found = by_metric.find(metric.name);
    if (found == by_metric.end()) continue;
    const bool is_level = found->second->lasts && others_tell
                              ? is_median(key.feature)
                              : feature::is_level(metric, key.feature);
    if (is_level) out[column] = found->second->least;
  }
  return out;
}

bool has_pressure_metrics(const model::ChannelTable& channels) {
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
