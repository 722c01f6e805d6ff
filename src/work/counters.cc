#include "work/counters.h"

#include <algorithm>
#include <array>

namespace reveal::work {
namespace {

using enum Quantity;
using model::Subsystem;

constexpr std::array kCounters = std::to_array<WorkCounter>({
    {"cpu_instructions_total", kInstructions, Subsystem::kCpu},
    {"cpu_cgroup_instructions_total", kInstructions, Subsystem::kCpu},
    {"cpu_cgroup_usage_seconds_total", kGroupTime, Subsystem::kCpu},

    {"gpu_busy_ratio", kGpuBusy, Subsystem::kGpu},
    {"gpu_sm_busy_ratio", kGpuSm, Subsystem::kGpu},
    {"gpu_sm_clock_hertz", kGpuClock, Subsystem::kGpu},
    {"gpu_power_watts", kGpuPower, Subsystem::kGpu},
    {"gpu_tensor_busy_ratio", kGpuTensor, Subsystem::kGpu},
    {"gpu_fp16_busy_ratio", kGpuFloat, Subsystem::kGpu},
    {"gpu_fp32_busy_ratio", kGpuFloat, Subsystem::kGpu},
    {"gpu_fp64_busy_ratio", kGpuFloat, Subsystem::kGpu},
    {"gpu_memory_busy_ratio", kGpuMemory, Subsystem::kGpu},
    {"gpu_dram_bandwidth_ratio", kGpuMemory, Subsystem::kGpu},
    {"gpu_memory_used_bytes", kGpuHeld, Subsystem::kGpu},
    {"gpu_shared_sm_busy_ratio", kGpuShared, Subsystem::kGpu},
    {"gpu_pcie_sent_bytes_per_second", kGpuPcie, Subsystem::kGpu},
    {"gpu_pcie_received_bytes_per_second", kGpuPcie, Subsystem::kGpu},
    {"gpu_nvlink_sent_bytes_per_second", kGpuNvlink, Subsystem::kGpu},
    {"gpu_nvlink_received_bytes_per_second", kGpuNvlink, Subsystem::kGpu},

    {"memory_freed_pages_total", kPages, Subsystem::kMemory},
    {"memory_numa_hits_total", kPages, Subsystem::kMemory},
    {"memory_numa_local_total", kPages, Subsystem::kMemory},
    {"memory_node_hits_total", kPages, Subsystem::kMemory},
    {"memory_node_local_total", kPages, Subsystem::kMemory},
    {"memory_page_faults_total", kPageFaults, Subsystem::kMemory},
    {"memory_cgroup_page_faults_total", kPageFaults, Subsystem::kMemory},

    {"network_received_bytes_total", kBytesReceived, Subsystem::kNetwork},
    {"network_ip_received_bytes_total", kBytesReceived, Subsystem::kNetwork},
    {"network_infiniband_received_bytes_total", kBytesReceived, Subsystem::kNetwork},
    {"network_rdma_received_unicast_bytes_total", kBytesReceived, Subsystem::kNetwork},
    {"network_sent_bytes_total", kBytesSent, Subsystem::kNetwork},
    {"network_ip_sent_bytes_total", kBytesSent, Subsystem::kNetwork},
    {"network_infiniband_sent_bytes_total", kBytesSent, Subsystem::kNetwork},
    {"network_rdma_sent_unicast_bytes_total", kBytesSent, Subsystem::kNetwork},
    {"network_received_packets_total", kPacketsReceived, Subsystem::kNetwork},
    {"network_ip_received_packets_total", kPacketsReceived, Subsystem::kNetwork},
    {"network_ip_delivered_packets_total", kPacketsReceived, Subsystem::kNetwork},
    {"network_infiniband_received_packets_total", kPacketsReceived, Subsystem::kNetwork},
    {"network_sent_packets_total", kPacketsSent, Subsystem::kNetwork},
    {"network_infiniband_sent_packets_total", kPacketsSent, Subsystem::kNetwork},
    {"network_tcp_received_segments_total", kSegmentsReceived, Subsystem::kNetwork},
    {"network_tcp_sent_segments_total", kSegmentsSent, Subsystem::kNetwork},

    {"storage_read_sectors_total", kBytesRead, Subsystem::kStorage},
    {"storage_paged_in_bytes_total", kBytesRead, Subsystem::kStorage},
    {"storage_cgroup_read_bytes_total", kBytesRead, Subsystem::kStorage},
    {"storage_reads_total", kReads, Subsystem::kStorage},
    {"storage_cgroup_reads_total", kReads, Subsystem::kStorage},
    {"storage_written_sectors_total", kBytesWritten, Subsystem::kStorage},
    {"storage_paged_out_bytes_total", kBytesWritten, Subsystem::kStorage},
    {"storage_cgroup_written_bytes_total", kBytesWritten, Subsystem::kStorage},
    {"storage_writes_total", kWrites, Subsystem::kStorage},
    {"storage_cgroup_writes_total", kWrites, Subsystem::kStorage},
    {"memory_pins_acquired_total", kPinnedPages, Subsystem::kStorage},
    {"memory_pins_released_total", kPinnedPages, Subsystem::kStorage},
});

struct QuantityWords {
  Quantity quantity;
  std::string_view words;
};

constexpr std::array kWords = std::to_array<QuantityWords>({
    {kBytesReceived, "bytes received"},
    {kBytesSent, "bytes sent"},
    {kPacketsReceived, "packets received"},
    {kPacketsSent, "packets sent"},
    {kSegmentsReceived, "TCP segments received"},
    {kSegmentsSent, "TCP segments sent"},
    {kPages, "pages"},
    {kPageFaults, "page faults"},
    {kBytesRead, "bytes read"},
    {kReads, "reads"},
    {kBytesWritten, "bytes written"},
    {kWrites, "writes"},
    {kPinnedPages, "pages pinned for I/O"},
    {kInstructions, "instructions"},
    {kGroupTime, "CPU time"},
    {kGpuBusy, "time in which GPUs are busy"},
    {kGpuSm, "use of the GPUs' multiprocessors"},
    {kGpuClock, "GPU clock"},
    {kGpuPower, "GPU power"},
    {kGpuTensor, "tensor core use"},
    {kGpuFloat, "use of the GPUs' floating point units"},
    {kGpuMemory, "GPU memory use"},
    {kGpuPcie, "PCIe bytes"},
    {kGpuNvlink, "NVLink bytes"},
    {kGpuHeld, "GPU memory held"},
    {kGpuShared, "GPU use beside the main group's"},
});

}  // namespace

std::span<const WorkCounter> work_counters() {
  return kCounters;
}

const WorkCounter* find_work_counter(std::string_view metric) {
  const auto* const found = std::ranges::find(kCounters, metric, &WorkCounter::metric);
  return found == kCounters.end() ? nullptr : found;
}

bool is_work(Quantity quantity) {
  return quantity != kGroupTime && quantity != kGpuHeld && quantity != kGpuShared;
}

model::Subsystem resource_of(Quantity quantity) {
  return std::ranges::find(kCounters, quantity, &WorkCounter::quantity)->resource;
}

std::string_view to_string(Quantity quantity) {
  return std::ranges::find(kWords, quantity, &QuantityWords::quantity)->words;
}

}  // namespace reveal::work
