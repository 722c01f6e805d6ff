#include "derive/derived_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "derive/derived_gpu_metrics.h"
#include "derive/derived_perf_metrics.h"
#include "derive/derived_row.h"

namespace reveal::derive {
namespace {

using model::Scope;
using model::Subsystem;
using Inputs = std::string_view;
using Values = std::span<const double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view kStatDoc =
    "https://docs.kernel.org/filesystems/proc.html#miscellaneous-kernel-statistics-in-proc-stat";
constexpr std::string_view kMeminfoDoc = "https://docs.kernel.org/filesystems/proc.html#meminfo";
constexpr std::string_view kDiskDoc = "https://docs.kernel.org/admin-guide/iostats.html";
constexpr std::string_view kSnmpDoc = "https://docs.kernel.org/networking/snmp_counter.html";

// The states that divide a core's time. The kernel counts guest time within user, and guest_nice
// within nice, so they are not listed again.
constexpr std::array<Inputs, 8> kCpuStates{"cpu_user_seconds_total",    "cpu_nice_seconds_total",
                                           "cpu_system_seconds_total",  "cpu_irq_seconds_total",
                                           "cpu_softirq_seconds_total", "cpu_steal_seconds_total",
                                           "cpu_idle_seconds_total",    "cpu_iowait_seconds_total"};
constexpr std::size_t kUser = 0;
constexpr std::size_t kSystem = 2;
constexpr std::size_t kSteal = 5;
constexpr std::size_t kIdle = 6;
constexpr std::size_t kIowait = 7;

double share(double part, double whole) {
  return whole > 0.0 ? part / whole : kNan;
}
double sum(Values values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Some counters of a core's states fall for minutes (iowait; steal after a move to another host),
// so that they have no rate. The shares of others are then of what is known. User, system and idle
// time must be known.
double known_sum(Values states) {
  double out = 0.0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const bool may_be_unknown = i != kUser && i != kSystem && i != kIdle;
    if (!may_be_unknown || !std::isnan(states[i])) out += states[i];
  }
  return out;
}

// A core that is off passes no time in any state: undefined, not idle.
double cpu_busy(Values states) {
  return share(known_sum(states.first(kIdle)), known_sum(states));
}
double cpu_iowait(Values states) {
  return share(states[kIowait], known_sum(states));
}
double cpu_steal(Values states) {
  return share(states[kSteal], known_sum(states));
}

// Standard deviation (of all, not of a sample) over mean; 0 if every core does nothing.
double dispersion(Values cores) {
  if (cores.size() < 2) return kNan;
  const auto count = static_cast<double>(cores.size());
  const double mean = sum(cores) / count;
  if (mean == 0.0) return 0.0;
  double squares = 0.0;
  for (const double core : cores) squares += (core - mean) * (core - mean);
  return std::sqrt(squares / count) / mean;
}

constexpr std::array<Inputs, 1> kCpuBusy{"cpu_busy_ratio"};
constexpr std::array<Inputs, 1> kInterrupts{"cpu_core_interrupts_total"};

constexpr std::array<Inputs, 2> kMemoryUse{"memory_available_bytes", "memory_installed_bytes"};
double memory_used(Values v) {
  return 1.0 - share(std::min(v[0], v[1]), v[1]);
}

constexpr std::array<Inputs, 2> kDirty{"memory_dirty_bytes", "memory_installed_bytes"};
double memory_dirty(Values v) {
  return share(v[0], v[1]);
}

constexpr std::array<Inputs, 3> kDirtyLimit{"memory_dirty_bytes", "memory_writeback_bytes",
                                            "memory_dirty_threshold_bytes"};
double dirty_of_limit(Values v) {
  return share(v[0] + v[1], v[2]);
}

constexpr std::array<Inputs, 2> kUnusedHugepages{"memory_hugepages_unused_bytes",
                                                 "memory_installed_bytes"};
double of_whole(Values v) {
  return share(v[0], v[1]);
}

constexpr std::array<Inputs, 2> kFreeBlocks{"memory_free_large_block_bytes",
                                            "memory_free_block_bytes"};
double fragmentation(Values v) {
  return 1.0 - share(v[0], v[1]);
}

// Nothing that happened is nothing of the first kind: 0.
double of_both(Values v) {
  return v[0] > 0.0 ? v[0] / (v[0] + v[1]) : 0.0;
}
constexpr std::array<Inputs, 2> kNodeAllocations{"memory_node_remote_total",
                                                 "memory_node_local_total"};
constexpr std::array<Inputs, 2> kHugeFaults{"memory_huge_fault_fallbacks_total",
                                            "memory_huge_faults_total"};

// Tasks that wait while none runs (the hypervisor has the core) wait beyond any ratio: undefined.
constexpr std::array<Inputs, 2> kSchedule{"cpu_task_wait_seconds_total",
                                          "cpu_task_run_seconds_total"};
double scheduling_delay(Values v) {
  return v[0] > 0.0 ? share(v[0], v[1]) : 0.0;
}

constexpr std::array<Inputs, 1> kReceiveSoftirqs{"network_softirq_receive_total"};

constexpr std::array<Inputs, 4> kHugepages{"memory_huge_free_pages", "memory_huge_reserved_pages",
                                           "memory_huge_page_size_bytes", "memory_installed_bytes"};
double hugepages_idle(Values v) {
  return share(std::max(0.0, v[0] - v[1]) * v[2], v[3]);
}

// The kernel counts busy time in whole milliseconds, so that one tick can show more than its
// length.
constexpr std::array<Inputs, 1> kIoTime{"storage_busy_seconds_total"};
double storage_busy(Values v) {
  return std::min(1.0, v[0]);
}

constexpr std::array<Inputs, 1> kWeightedIoTime{"storage_queue_seconds_total"};
double identity(Values v) {
  return v[0];
}

constexpr std::array<Inputs, 2> kReadLatency{"storage_read_seconds_total", "storage_reads_total"};
constexpr std::array<Inputs, 2> kWriteLatency{"storage_write_seconds_total",
                                              "storage_writes_total"};
constexpr std::array<Inputs, 2> kRetransmits{"network_tcp_retransmits_total",
                                             "network_tcp_sent_segments_total"};
constexpr std::array<Inputs, 2> kGroupRetransmits{"network_cgroup_tcp_retransmits_total",
                                                  "network_cgroup_tcp_sent_segments_total"};
// Of few segments, one is a large share and little harm: 1 % of this many is a dozen in a window.
constexpr double kFewSegments = 400.0;  // a second
double per_unit_of_many(Values v) {
  return v[0] / std::max(v[1], kFewSegments);
}
constexpr std::array<Inputs, 2> kGroupTraffic{"network_cgroup_received_bytes_total",
                                              "network_cgroup_sent_bytes_total"};
constexpr std::array<Inputs, 2> kCongestion{"network_rdma_congestion_marked_packets_total",
                                            "network_infiniband_received_packets_total"};
// Nothing done is nothing lost or waited for: 0, as iostat prints it.
double per_unit(Values v) {
  return v[1] > 0.0 ? v[0] / v[1] : 0.0;
}

// Bytes per second each way, and bits per second of the link. A link without a speed has no share.
constexpr double kBitsPerByte = 8.0;
constexpr std::array<Inputs, 3> kInterfaceUse{
    "network_received_bytes_total", "network_sent_bytes_total", "network_speed_bits_per_second"};
double both_ways(Values v) {
  return share(kBitsPerByte * (v[0] + v[1]), v[2]);
}
constexpr std::array<Inputs, 3> kPortUse{"network_infiniband_received_bytes_total",
                                         "network_infiniband_sent_bytes_total",
                                         "network_infiniband_rate_bits_per_second"};
double busier_way(Values v) {
  return share(kBitsPerByte * std::max(v[0], v[1]), v[2]);
}

constexpr std::array<Inputs, 1> kDeviceInterrupts{"cpu_device_interrupts_total"};
double largest_share(Values cores) {
  if (cores.size() < 2) return kNan;
  const double all = sum(cores);
  return all > 0.0 ? *std::max_element(cores.begin(), cores.end()) / all : 0.0;
}

constexpr std::array kRows{
    DerivedMetric{
        derived_row("cpu_busy_ratio", "CPU busy share", "ratio", Subsystem::kCpu, Scope::kCore,
                    "derived: 1 - (idle + iowait) / time in all states", "Busy%", kStatDoc,
                    "Share of time in which the core did anything but wait.", 10),
        kCpuStates, Shape::kPerInstance, cpu_busy, true},
    DerivedMetric{
        derived_row("cpu_iowait_ratio", "CPU I/O wait share", "ratio", Subsystem::kCpu,
                    Scope::kCore, "derived: iowait / time in all states", "%iowait", kStatDoc,
                    "Share of time in which the core was idle while a task waited for a disk.", 20),
        kCpuStates, Shape::kPerInstance, cpu_iowait, true},
    DerivedMetric{
        derived_row("cpu_steal_ratio", "CPU steal share", "ratio", Subsystem::kCpu, Scope::kCore,
                    "derived: steal / time in all states", "%steal", kStatDoc,
                    "Share of time in which the hypervisor ran something else.", 20),
        kCpuStates, Shape::kPerInstance, cpu_steal, true},
    DerivedMetric{
        derived_row("cpu_imbalance_ratio", "CPU load imbalance", "ratio", Subsystem::kCpu,
                    Scope::kHost, "derived: std / mean of cpu_busy_ratio over cores", "", kStatDoc,
                    "How unevenly the cores are busy; 0 when all are equally so.", 20),
        kCpuBusy, Shape::kAcrossInstances, dispersion},
    DerivedMetric{
        derived_row("cpu_interrupt_imbalance_ratio", "Interrupt imbalance", "ratio",
                    Subsystem::kCpu, Scope::kHost,
                    "derived: std / mean of interrupts per second over cores", "",
                    "https://docs.kernel.org/core-api/irq/irq-affinity.html",
                    "How unevenly the cores serve interrupts; 0 when all serve as many.", 20),
        kInterrupts, Shape::kAcrossInstances, dispersion},
    DerivedMetric{
        derived_row("cpu_device_interrupt_top_ratio", "Device interrupts on the busiest core",
                    "ratio", Subsystem::kCpu, Scope::kHost,
                    "derived: largest share of one core in the device interrupts of all", "",
                    "https://docs.kernel.org/core-api/irq/irq-affinity.html",
                    "Share of all device interrupts that one core served; 0 when there were none.",
                    30),
        kDeviceInterrupts, Shape::kAcrossInstances, largest_share},
    DerivedMetric{derived_row("memory_used_ratio", "Memory in use", "ratio", Subsystem::kMemory,
                              Scope::kHost, "derived: 1 - MemAvailable / MemTotal", "", kMeminfoDoc,
                              "Share of memory that could not be given out without swapping.", 10),
                  kMemoryUse, Shape::kPerInstance, memory_used},
    DerivedMetric{derived_row("memory_dirty_ratio", "Dirty memory share", "ratio",
                              Subsystem::kMemory, Scope::kHost, "derived: Dirty / MemTotal", "",
                              kMeminfoDoc, "Share of memory that waits to be written to disk.", 30),
                  kDirty, Shape::kPerInstance, memory_dirty},
    DerivedMetric{
        derived_row("memory_hugepages_idle_ratio", "Idle huge pages", "ratio", Subsystem::kMemory,
                    Scope::kHost,
                    "derived: (HugePages_Free - HugePages_Rsvd) * Hugepagesize / MemTotal", "",
                    "https://docs.kernel.org/admin-guide/mm/hugetlbpage.html",
                    "Share of memory set aside as huge pages that nothing uses.", 30),
        kHugepages, Shape::kPerInstance, hugepages_idle},
    DerivedMetric{
        derived_row(
            "memory_hugepages_unused_ratio", "Unused huge pages of all sizes", "ratio",
            Subsystem::kMemory, Scope::kHost,
            "derived: (free - resv hugepages) * size, over all sizes / MemTotal", "",
            "https://docs.kernel.org/admin-guide/mm/hugetlbpage.html",
            "Share of memory in huge pages of any size that are neither allocated nor promised.",
            30),
        kUnusedHugepages, Shape::kPerInstance, of_whole},
    DerivedMetric{
        derived_row(
            "memory_dirty_threshold_ratio", "Dirty memory to its limit", "ratio",
            Subsystem::kMemory, Scope::kHost, "derived: (Dirty + Writeback) / nr_dirty_threshold",
            "", "https://docs.kernel.org/admin-guide/sysctl/vm.html",
            "Dirty page cache as a share of what is allowed before writers are held back.", 20),
        kDirtyLimit, Shape::kPerInstance, dirty_of_limit},
    DerivedMetric{
        derived_row("memory_huge_fault_fallback_ratio", "Huge page fallback share", "ratio",
                    Subsystem::kMemory, Scope::kHost,
                    "derived: thp_fault_fallback / (thp_fault_alloc + thp_fault_fallback)", "",
                    "https://docs.kernel.org/admin-guide/mm/transhuge.html",
                    "Share of faults for a huge page that got small pages; 0 when there were none.",
                    30),
        kHugeFaults, Shape::kPerInstance, of_both},
    DerivedMetric{
        derived_row(
            "memory_fragmentation_ratio", "Memory fragmentation", "ratio", Subsystem::kMemory,
            Scope::kNode, "derived: 1 - memory in free blocks of order 9 and more / in all", "",
            "https://docs.kernel.org/filesystems/proc.html#kernel-data",
            "Share of the node's free memory that lies in blocks too small for a huge page.", 60),
        kFreeBlocks, Shape::kPerInstance, fragmentation},
    DerivedMetric{
        derived_row(
            "memory_node_remote_ratio", "Remote allocation share", "ratio", Subsystem::kMemory,
            Scope::kNode, "derived: other_node / (local_node + other_node)", "",
            "https://docs.kernel.org/admin-guide/numastat.html",
            "Share of the node's new pages that went to other nodes' cores; 0 when there were "
            "none.",
            20),
        kNodeAllocations, Shape::kPerInstance, of_both},
    DerivedMetric{
        derived_row("cpu_scheduling_delay_ratio", "Scheduling delay", "ratio", Subsystem::kCpu,
                    Scope::kCore, "derived: run_delay / rq_cpu_time", "",
                    "https://docs.kernel.org/scheduler/sched-stats.html",
                    "Time that tasks waited for the core per time that they ran on it.", 20),
        kSchedule, Shape::kPerInstance, scheduling_delay},
    DerivedMetric{
        derived_row("network_softirq_receive_imbalance_ratio", "Network receive imbalance", "ratio",
                    Subsystem::kNetwork, Scope::kHost,
                    "derived: std / mean of network receive softirqs per second over cores", "",
                    "https://docs.kernel.org/networking/scaling.html",
                    "How unevenly the cores receive packets; 0 when all receive as much.", 30),
        kReceiveSoftirqs, Shape::kAcrossInstances, dispersion},
    DerivedMetric{
        derived_row("storage_busy_ratio", "Disk busy share", "ratio", Subsystem::kStorage,
                    Scope::kDisk, "derived: time with I/O in flight, per second", "%util", kDiskDoc,
                    "Share of time in which the disk had at least one request.", 10),
        kIoTime, Shape::kPerInstance, storage_busy},
    DerivedMetric{
        derived_row("storage_read_latency_seconds", "Disk read latency", "seconds",
                    Subsystem::kStorage, Scope::kDisk, "derived: time reading / reads completed",
                    "r_await", kDiskDoc,
                    "Mean time from request to completion of a read; 0 when none completed.", 20),
        kReadLatency, Shape::kPerInstance, per_unit},
    DerivedMetric{
        derived_row("storage_write_latency_seconds", "Disk write latency", "seconds",
                    Subsystem::kStorage, Scope::kDisk, "derived: time writing / writes completed",
                    "w_await", kDiskDoc,
                    "Mean time from request to completion of a write; 0 when none completed.", 20),
        kWriteLatency, Shape::kPerInstance, per_unit},
    DerivedMetric{
        derived_row("storage_queue_depth", "Disk queue depth", "requests", Subsystem::kStorage,
                    Scope::kDisk, "derived: weighted time with I/O in flight, per second", "aqu-sz",
                    kDiskDoc, "Mean number of requests in flight.", 20),
        kWeightedIoTime, Shape::kPerInstance, identity},
    DerivedMetric{
        derived_row(
            "network_tcp_retransmit_ratio", "TCP retransmission share", "ratio",
            Subsystem::kNetwork, Scope::kHost, "derived: Tcp RetransSegs / OutSegs", "", kSnmpDoc,
            "Segments sent again per segment sent; of fewer than 400 a second, per 400.", 10),
        kRetransmits, Shape::kPerInstance, per_unit_of_many},
    DerivedMetric{
        derived_row("network_cgroup_tcp_retransmit_ratio", "Control group TCP retransmission share",
                    "ratio", Subsystem::kNetwork, Scope::kCgroup,
                    "derived: Tcp RetransSegs / OutSegs of the group's own network", "", kSnmpDoc,
                    "Segments sent again per segment sent; of fewer than 400 a second, per 400.",
                    10),
        kGroupRetransmits, Shape::kPerInstance, per_unit_of_many},
    DerivedMetric{
        derived_row(
            "network_cgroup_traffic_bytes_per_second", "Control group network traffic", "bytes/s",
            Subsystem::kNetwork, Scope::kCgroup,
            "derived: bytes received + bytes sent by the group's own network, per second", "",
            "https://docs.kernel.org/networking/statistics.html",
            "Bytes received and sent by the interfaces, but for lo, of the group's own network.",
            30),
        kGroupTraffic, Shape::kPerInstance, sum},
    DerivedMetric{
        derived_row("network_use_ratio", "Network use of the link's speed", "ratio",
                    Subsystem::kNetwork, Scope::kNic,
                    "derived: 8 * (bytes received + bytes sent) / speed", "NetworkUtilization",
                    "https://docs.kernel.org/networking/statistics.html",
                    "Bits received and sent as a share of the link's speed, which is that of one "
                    "direction: both at full speed make 2.",
                    20),
        kInterfaceUse, Shape::kPerInstance, both_ways},
    DerivedMetric{
        derived_row("network_infiniband_use_ratio", "InfiniBand use of the link's rate", "ratio",
                    Subsystem::kNetwork, Scope::kNic,
                    "derived: 8 * bytes of the busier direction / rate of the port", "",
                    "https://docs.kernel.org/infiniband/sysfs.html",
                    "Share of the port's rate that the busier of its two directions took.", 20),
        kPortUse, Shape::kPerInstance, busier_way},
    DerivedMetric{
        derived_row("network_rdma_congestion_marked_ratio", "RDMA congestion mark share", "ratio",
                    Subsystem::kNetwork, Scope::kNic,
                    "derived: np_ecn_marked_roce_packets / port_rcv_packets", "",
                    "https://docs.kernel.org/infiniband/sysfs.html",
                    "Packets that came marked by a congested switch, per packet received; 0 when "
                    "none came.",
                    30),
        kCongestion, Shape::kPerInstance, per_unit},
};

}  // namespace

std::span<const DerivedMetric> derived_metrics() {
  static const auto all = [] {
    std::vector<DerivedMetric> out(kRows.begin(), kRows.end());
    const auto gpu = derived_gpu_metrics();
    out.insert(out.end(), gpu.begin(), gpu.end());
    const auto perf = derived_perf_metrics();
    out.insert(out.end(), perf.begin(), perf.end());
    return out;
  }();
  return all;
}

}  // namespace reveal::derive
