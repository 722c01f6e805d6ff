// The factories and metric tables that registry.cc lists, one pair a collector.
#pragma once

#include <memory>
#include <vector>

#include "collect/collector.h"

namespace reveal::collect {

std::unique_ptr<Collector> make_stat();
std::vector<model::MetricDescriptor> stat_metrics();

std::unique_ptr<Collector> make_interrupts();
std::vector<model::MetricDescriptor> interrupts_metrics();

std::unique_ptr<Collector> make_sysctl();
std::vector<model::MetricDescriptor> sysctl_metrics();

std::unique_ptr<Collector> make_cpu_facts();
std::vector<model::MetricDescriptor> cpu_facts_metrics();

std::unique_ptr<Collector> make_host_facts();
std::vector<model::MetricDescriptor> host_facts_metrics();

std::unique_ptr<Collector> make_irq_affinity();
std::vector<model::MetricDescriptor> irq_affinity_metrics();

std::unique_ptr<Collector> make_pci_node();
std::vector<model::MetricDescriptor> pci_node_metrics();

std::unique_ptr<Collector> make_softirqs();
std::vector<model::MetricDescriptor> softirqs_metrics();

std::unique_ptr<Collector> make_loadavg();
std::vector<model::MetricDescriptor> loadavg_metrics();

std::unique_ptr<Collector> make_schedstat();
std::vector<model::MetricDescriptor> schedstat_metrics();

std::unique_ptr<Collector> make_meminfo();
std::vector<model::MetricDescriptor> meminfo_metrics();

std::unique_ptr<Collector> make_vmstat();
std::vector<model::MetricDescriptor> vmstat_metrics();

std::unique_ptr<Collector> make_buddyinfo();
std::vector<model::MetricDescriptor> buddyinfo_metrics();

std::unique_ptr<Collector> make_numastat();
std::vector<model::MetricDescriptor> numastat_metrics();

std::unique_ptr<Collector> make_node_meminfo();
std::vector<model::MetricDescriptor> node_meminfo_metrics();

std::unique_ptr<Collector> make_node_distance();
std::vector<model::MetricDescriptor> node_distance_metrics();

std::unique_ptr<Collector> make_hugepages();
std::vector<model::MetricDescriptor> hugepages_metrics();

std::unique_ptr<Collector> make_diskstats();
std::vector<model::MetricDescriptor> diskstats_metrics();

std::unique_ptr<Collector> make_disk_inflight();
std::vector<model::MetricDescriptor> disk_inflight_metrics();

std::unique_ptr<Collector> make_disk_queue();
std::vector<model::MetricDescriptor> disk_queue_metrics();

std::unique_ptr<Collector> make_filesystem();
std::vector<model::MetricDescriptor> filesystem_metrics();

std::unique_ptr<Collector> make_nfs();
std::vector<model::MetricDescriptor> nfs_metrics();

std::unique_ptr<Collector> make_lustre();
std::vector<model::MetricDescriptor> lustre_metrics();

std::unique_ptr<Collector> make_net_dev();
std::vector<model::MetricDescriptor> net_dev_metrics();

std::unique_ptr<Collector> make_net_link();
std::vector<model::MetricDescriptor> net_link_metrics();

std::unique_ptr<Collector> make_infiniband_traffic();
std::vector<model::MetricDescriptor> infiniband_traffic_metrics();

std::unique_ptr<Collector> make_infiniband_counters();
std::vector<model::MetricDescriptor> infiniband_counters_metrics();

std::unique_ptr<Collector> make_infiniband_hw_counters();
std::vector<model::MetricDescriptor> infiniband_hw_counters_metrics();

std::unique_ptr<Collector> make_infiniband_ports();
std::vector<model::MetricDescriptor> infiniband_ports_metrics();

std::unique_ptr<Collector> make_tcp_sockets();
std::vector<model::MetricDescriptor> tcp_sockets_metrics();

std::unique_ptr<Collector> make_rdma_resources();
std::vector<model::MetricDescriptor> rdma_resources_metrics();

std::unique_ptr<Collector> make_ethtool_statistics();
std::vector<model::MetricDescriptor> ethtool_statistics_metrics();

std::unique_ptr<Collector> make_ethtool_settings();
std::vector<model::MetricDescriptor> ethtool_settings_metrics();

std::unique_ptr<Collector> make_optics();
std::vector<model::MetricDescriptor> optics_metrics();

std::unique_ptr<Collector> make_snmp();
std::vector<model::MetricDescriptor> snmp_metrics();

std::unique_ptr<Collector> make_netstat();
std::vector<model::MetricDescriptor> netstat_metrics();

std::unique_ptr<Collector> make_softnet();
std::vector<model::MetricDescriptor> softnet_metrics();

std::unique_ptr<Collector> make_sockstat();
std::vector<model::MetricDescriptor> sockstat_metrics();

std::unique_ptr<Collector> make_sockstat6();
std::vector<model::MetricDescriptor> sockstat6_metrics();

std::unique_ptr<Collector> make_pressure_cpu();
std::vector<model::MetricDescriptor> pressure_cpu_metrics();

std::unique_ptr<Collector> make_pressure_memory();
std::vector<model::MetricDescriptor> pressure_memory_metrics();

std::unique_ptr<Collector> make_pressure_io();
std::vector<model::MetricDescriptor> pressure_io_metrics();

std::unique_ptr<Collector> make_pressure_irq();
std::vector<model::MetricDescriptor> pressure_irq_metrics();

std::unique_ptr<Collector> make_nvml();
std::vector<model::MetricDescriptor> nvml_metrics();

std::unique_ptr<Collector> make_kmsg();
std::vector<model::MetricDescriptor> kmsg_metrics();
std::unique_ptr<Collector> make_clock();
std::vector<model::MetricDescriptor> clock_metrics();

std::unique_ptr<Collector> make_cgroup();
std::vector<model::MetricDescriptor> cgroup_metrics();

std::unique_ptr<Collector> make_cgroup_detail();
std::vector<model::MetricDescriptor> cgroup_detail_metrics();

std::unique_ptr<Collector> make_perf_software();
std::vector<model::MetricDescriptor> perf_software_metrics();

std::unique_ptr<Collector> make_recorder_tick();
std::vector<model::MetricDescriptor> recorder_tick_metrics();

std::unique_ptr<Collector> make_recorder_process();
std::vector<model::MetricDescriptor> recorder_process_metrics();

std::unique_ptr<Collector> make_recorder_sources();
std::vector<model::MetricDescriptor> recorder_sources_metrics();

std::unique_ptr<Collector> make_perf_core();
std::vector<model::MetricDescriptor> perf_core_metrics();

std::unique_ptr<Collector> make_perf_msr();
std::vector<model::MetricDescriptor> perf_msr_metrics();

std::unique_ptr<Collector> make_perf_cstate();
std::vector<model::MetricDescriptor> perf_cstate_metrics();

std::unique_ptr<Collector> make_perf_power();
std::vector<model::MetricDescriptor> perf_power_metrics();

std::unique_ptr<Collector> make_perf_uncore();
std::vector<model::MetricDescriptor> perf_uncore_metrics();

std::unique_ptr<Collector> make_perf_cgroup();
std::vector<model::MetricDescriptor> perf_cgroup_metrics();

std::unique_ptr<Collector> make_cpufreq();
std::vector<model::MetricDescriptor> cpufreq_metrics();

std::unique_ptr<Collector> make_cpufreq_limits();
std::vector<model::MetricDescriptor> cpufreq_limits_metrics();

std::unique_ptr<Collector> make_cpuidle();
std::vector<model::MetricDescriptor> cpuidle_metrics();

std::unique_ptr<Collector> make_thermal_throttle();
std::vector<model::MetricDescriptor> thermal_throttle_metrics();

std::unique_ptr<Collector> make_uncore_frequency();
std::vector<model::MetricDescriptor> uncore_frequency_metrics();

std::unique_ptr<Collector> make_rapl();
std::vector<model::MetricDescriptor> rapl_metrics();

std::unique_ptr<Collector> make_thermal();
std::vector<model::MetricDescriptor> thermal_metrics();

std::unique_ptr<Collector> make_hwmon();
std::vector<model::MetricDescriptor> hwmon_metrics();

std::unique_ptr<Collector> make_edac();
std::vector<model::MetricDescriptor> edac_metrics();

std::unique_ptr<Collector> make_pci_link();
std::vector<model::MetricDescriptor> pci_link_metrics();

std::unique_ptr<Collector> make_pci_aer();
std::vector<model::MetricDescriptor> pci_aer_metrics();

std::unique_ptr<Collector> make_amdgpu();
std::vector<model::MetricDescriptor> amdgpu_metrics();

std::unique_ptr<Collector> make_nvme_smart();
std::vector<model::MetricDescriptor> nvme_smart_metrics();

}  // namespace reveal::collect
