// The table of patterns. To add one, add its row; cli/named_metrics_test.cc asks that its metrics
// exist.
//
// Signs are Linux's and its drivers' own counters: what they mean is in docs/reference/metrics.md,
// each with its kernel document. Least changes are what an operator would call something, not
// tuned on recordings.
#include "attribute/patterns.h"

namespace reveal::attribute {
namespace {

using enum Change;

constexpr double kMiB = 1024.0 * 1024.0;

constexpr std::array kPatterns{
    Pattern{"gpu_heat",
            "GPU slowed for heat",
            {{{"gpu_throttle_heat_active", kRises, 0.3}}},
            {},
            "The driver lowers the GPU's clock to keep its temperature.",
            "Look at airflow, fans and inlet temperature of this host, and at its neighbors'."},
    Pattern{
        "gpu_power_cap",
        "GPU slowed by its power limit",
        {{{"gpu_throttle_power_cap_active", kRises, 0.3}}},
        {},
        "The driver lowers the GPU's clock to stay below the power limit.",
        "Compare the power limit with that of other hosts (nvidia-smi -q -d POWER), and raise it "
        "where that is allowed."},
    Pattern{"gpu_errors",
            "GPU reports errors",
            {{{"gpu_kernel_xid_errors_total", kRises, 1}}},
            {},
            "NVIDIA's driver printed error reports (XID) while this lasted.",
            "Look the XID up, drain the host where it is one of hardware, and run diagnostics."},
    Pattern{"cpu_heat",
            "Processor slowed for heat",
            {{{"cpu_package_throttles_total", kRises, 1}}},
            {},
            "The processor lowered its frequency because the package was hot.",
            "Look at cooling and at the power profile."},
    Pattern{
        "cpu_quota",
        "CPU quota used up",
        {{{"cpu_cgroup_throttled_seconds_total", kRises, 0.05}}},
        {},
        "A control group used up its CPU quota, and its tasks waited for the next period.",
        "Raise cpu.max (cpu.cfs_quota_us) of the group that throttled_usec names, or remove it."},
    Pattern{"swapping",
            "Swapping",
            {{{"memory_swapped_out_pages_total", kRises, 100}}},
            {},
            "Memory is short: pages are written to swap, and their owners wait to read them back.",
            "Find who needs the memory (memory.current of control groups), limit it, or move it."},
    Pattern{"write_back_surge",
            "Write-back surge",
            {{{"memory_writeback_bytes", kRises, 8 * kMiB}}},
            {{{"memory_swapped_out_pages_total", kRises, 100}}},
            "Much that was written to the page cache goes to the disk at once; who reads or syncs "
            "meanwhile waits.",
            "Let writing start earlier (vm.dirty_background_bytes), sync in small pieces, or give "
            "checkpoints a disk of their own."},
    Pattern{"io_limit",
            "Waiting for I/O that the disk is not busy with",
            {{{"storage_io_pressure_full_seconds_total", kRises, 0.1}}},
            {{{"storage_busy_ratio", kRises, 0.2}, {"memory_writeback_bytes", kRises, 8 * kMiB}}},
            "Tasks wait for I/O while no disk is busier than usual: a limit on a control group, a "
            "network file system, or a device that hangs.",
            "Look at io.max (blkio.throttle) of the job's group, and at mounts of other machines."},
    Pattern{"disk_saturated",
            "Disk kept busy",
            {{{"storage_busy_ratio", kRises, 0.3}, {"storage_queue_depth", kRises, 1}}},
            {{{"memory_writeback_bytes", kRises, 8 * kMiB},
              {"memory_swapped_out_pages_total", kRises, 100}}},
            "Requests queue at a disk: somebody reads or writes more than usual.",
            "Find who does (storage_cgroup_* by group, or iotop), and move or limit it."},
    Pattern{"host_drops_packets",
            "Host drops what it receives",
            {{{"network_softnet_drops_total", kRises, 1}}},
            {},
            "A core's backlog of received packets was full: packets were dropped in this host.",
            "Spread receive work over cores (queues, RPS), or raise net.core.netdev_max_backlog."},
    Pattern{
        "segments_lost",
        "Segments lost or reordered on the way here",
        {{{"network_tcp_out_of_order_total", kRises, 3000}}},
        {{{"network_receive_drops_total", kRises, 1},
          {"network_softnet_drops_total", kRises, 1},
          {"network_softirq_receive_imbalance_ratio", kRises, 0.3}}},
        "TCP segments come before earlier ones, which were lost or late on the way: senders "
        "send them again.",
        "Look at errors and drops of the switch port and cable towards this host. Some of it is "
        "usual where jobs send in bursts; compare with peers."},
    Pattern{
        "segments_sent_again",
        "Segments lost or reordered on the way from here",
        {{{"network_tcp_retransmits_total", kRises, 100},
          {"network_tcp_sack_recoveries_total", kRises, 5}}},
        {{{"network_tcp_out_of_order_total", kRises, 3000}}},
        "A host that this one sends to misses segments, and they are sent again: this host waits, "
        "the loss need not be its own.",
        "Look first at the hosts that receive from here, for the one whose segments come out of "
        "order; then at errors and drops of this host's own cable and switch port.",
        Cause::kOtherEnd},
    Pattern{"receive_on_one_core",
            "Receive interrupts on one core",
            {{{"network_softirq_receive_imbalance_ratio", kRises, 0.3},
              {"network_softnet_packets_total", kRises, 10000}}},
            {},
            "One core takes most of what the network receives, and the job on it waits.",
            "Spread the interrupts (irqbalance, smp_affinity, RSS queues, RPS)."},
    Pattern{
        "remote_memory",
        "Memory taken from another NUMA node",
        {{{"memory_numa_other_total", kRises, 1000}}},
        {},
        "Pages are allocated on another node than the one whose core asks.",
        "Bind the job's memory and cores to one node (numactl, cpuset.mems), near its devices."},
    Pattern{"idle_huge_pages",
            "Huge pages set aside and unused",
            {{{"memory_hugepages_unused_bytes", kRises, 64 * kMiB}}},
            {},
            "Memory was set aside as huge pages that nobody uses; no other use can be made of it.",
            "Lower vm.nr_hugepages (and the pools of other sizes under /sys/kernel/mm/hugepages)."},
    Pattern{"cpu_contention",
            "More to run than there are cores",
            {{{"cpu_pressure_some_seconds_total", kRises, 0.1}}},
            {{{"cpu_cgroup_throttled_seconds_total", kRises, 0.05},
              {"memory_swapped_out_pages_total", kRises, 100}}},
            "Tasks that could run wait for a core.",
            "Find the neighbor (CPU by control group), and pin, limit or move it."},
    Pattern{
        "gpu_starved",
        "GPU waits for input",
        {{{"gpu_busy_ratio", kFalls, 0.3}}},
        {{{"gpu_throttle_power_cap_active", kRises, 0.3},
          {"gpu_throttle_heat_active", kRises, 0.3}}},
        "The GPU is idle more than usual, though nothing slows it: what feeds it is late.",
        "Look at what else this finding names: data loading, network, or the host's processors."},
};

}  // namespace

std::span<const Pattern> patterns() {
  return kPatterns;
}

}  // namespace reveal::attribute
