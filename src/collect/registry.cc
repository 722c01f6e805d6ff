#include "collect/registry.h"

#include "collect/collectors.h"

namespace reveal::collect {
namespace {

constexpr CollectorDescriptor kCollectors[] = {
    {"stat", "time states per core, switches and forks", make_stat, stat_metrics},
    {"softirqs", "deferred interrupt work per core", make_softirqs, softirqs_metrics},
    {"interrupts", "interrupts per core and kind of device", make_interrupts, interrupts_metrics,
     Lane::kMedium},
    {"loadavg", "load averages and threads", make_loadavg, loadavg_metrics, Lane::kSlow},
    {"schedstat", "time that tasks ran and waited per core", make_schedstat, schedstat_metrics,
     Lane::kMedium},
    {"meminfo", "what memory is used for", make_meminfo, meminfo_metrics},
    {"vmstat", "paging, reclaim, compaction and NUMA placement", make_vmstat, vmstat_metrics},
    {"buddyinfo", "how broken up free memory is", make_buddyinfo, buddyinfo_metrics, Lane::kSlow},
    {"numastat", "where pages of each NUMA node were allocated for", make_numastat,
     numastat_metrics, Lane::kMedium},
    {"node_meminfo", "what the memory of each NUMA node is used for", make_node_meminfo,
     node_meminfo_metrics, Lane::kMedium},
    {"node_distance", "distances between NUMA nodes", make_node_distance, node_distance_metrics,
     Lane::kSlow},
    {"hugepages", "pools of huge pages of every size", make_hugepages, hugepages_metrics,
     Lane::kSlow},
    {"diskstats", "I/O per disk", make_diskstats, diskstats_metrics},
    {"disk_inflight", "reads and writes in flight per disk", make_disk_inflight,
     disk_inflight_metrics, Lane::kMedium},
    {"disk_queue", "how each disk's queue is set, and RAID", make_disk_queue, disk_queue_metrics,
     Lane::kSlow},
    {"filesystem", "how full local file systems are", make_filesystem, filesystem_metrics,
     Lane::kSlow, true},
    {"nfs", "calls of the NFS client", make_nfs, nfs_metrics, Lane::kSlow, false, true},
    {"lustre", "bytes through the Lustre client", make_lustre, lustre_metrics, Lane::kSlow, true,
     true},
    {"net_dev", "traffic and errors per network interface", make_net_dev, net_dev_metrics},
    {"net_link", "speed, state and steering per network interface", make_net_link, net_link_metrics,
     Lane::kSlow, true},
    {"infiniband_traffic", "bytes per InfiniBand or RoCE port", make_infiniband_traffic,
     infiniband_traffic_metrics, Lane::kFast, true},
    {"infiniband_counters", "packets and link errors per InfiniBand or RoCE port",
     make_infiniband_counters, infiniband_counters_metrics, Lane::kMedium, true},
    {"infiniband_hw_counters", "retransmissions and congestion per RDMA port",
     make_infiniband_hw_counters, infiniband_hw_counters_metrics, Lane::kMedium, true},
    {"infiniband_ports", "state and rate per InfiniBand or RoCE port", make_infiniband_ports,
     infiniband_ports_metrics, Lane::kSlow, true},
    {"snmp", "IP, TCP and UDP counters", make_snmp, snmp_metrics},
    {"netstat", "TCP loss, queue and memory counters", make_netstat, netstat_metrics},
    {"softnet", "packets received per core", make_softnet, softnet_metrics},
    {"sockstat", "sockets and their memory", make_sockstat, sockstat_metrics, Lane::kMedium},
    {"sockstat6", "sockets over IPv6", make_sockstat6, sockstat6_metrics, Lane::kMedium},
    {"pressure_cpu", "time lost for want of a core", make_pressure_cpu, pressure_cpu_metrics},
    {"pressure_memory", "time lost for want of memory", make_pressure_memory,
     pressure_memory_metrics},
    {"pressure_io", "time lost waiting for I/O", make_pressure_io, pressure_io_metrics},
    {"pressure_irq", "time lost to interrupts", make_pressure_irq, pressure_irq_metrics},
    {"nvml", "NVIDIA GPUs", make_nvml, nvml_metrics, Lane::kFast, true},
    {"kmsg", "trouble that the kernel prints", make_kmsg, kmsg_metrics},
    {"clock", "the error of the realtime clock", make_clock, clock_metrics, Lane::kSlow},
    // The recorder itself.
    {"recorder_tick", "how punctual and how costly the ticks are", make_recorder_tick,
     recorder_tick_metrics},
    {"recorder_process", "what the recorder takes and writes", make_recorder_process,
     recorder_process_metrics, Lane::kMedium},
    {"recorder_sources", "what each collector takes", make_recorder_sources,
     recorder_sources_metrics, Lane::kSlow},
    {"perf_software", "the kernel's own perf events per core", make_perf_software,
     perf_software_metrics, Lane::kMedium},
    {"perf_core", "the cores' own performance counters", make_perf_core, perf_core_metrics},
    {"perf_msr", "clocks and management interrupts per core", make_perf_msr, perf_msr_metrics},
    {"perf_cstate", "idle states of cores and packages", make_perf_cstate, perf_cstate_metrics,
     Lane::kMedium},
    {"perf_power", "energy per package", make_perf_power, perf_power_metrics},
    {"perf_uncore", "memory controllers, socket links and third caches", make_perf_uncore,
     perf_uncore_metrics, Lane::kMedium},
};

}  // namespace

std::span<const CollectorDescriptor> registry() {
  return kCollectors;
}

}  // namespace reveal::collect
