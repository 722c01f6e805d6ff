// Names as the exporters document them, each with the subsystem that a reader of their documents
// would say.
#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "exchange/guess.h"
#include "exchange/subsystem_words.h"

namespace reveal::exchange {
namespace {

using enum model::Subsystem;

void expect_each(model::Subsystem subsystem, std::initializer_list<const char*> names) {
  for (const char* name : names) EXPECT_EQ(guess_subsystem(name, ""), subsystem) << name;
}

TEST(GuessSubsystemOf, NodeExporter) {
  expect_each(kCpu, {"node_cpu_guest_seconds_total", "node_load15", "node_interrupts_total",
                     "node_context_switches_total", "node_forks_total", "node_pressure_cpu_waiting",
                     "node_cpu_core_throttles_total", "node_schedstat_running_seconds_total"});
  expect_each(kMemory,
              {"node_memory_SwapFree_bytes", "node_vmstat_pgmajfault", "node_vmstat_oom_kill",
               "node_edac_correctable_errors_total", "node_pressure_memory_stalled_seconds_total"});
  expect_each(kNetwork,
              {"node_network_transmit_drop_total", "node_sockstat_TCP_alloc", "node_arp_entries",
               "node_bonding_active", "node_udp_queues", "node_nf_conntrack_entries_limit",
               "node_infiniband_port_data_received_bytes_total"});
  expect_each(kStorage, {"node_disk_written_bytes_total", "node_filesystem_avail_bytes",
                         "node_md_disks_required", "node_nfs_rpcs_total", "node_xfs_read_calls",
                         "node_zfs_arc_size", "node_vmstat_pgpgout"});
  expect_each(kUnknown, {"node_cooling_device_cur_state", "node_thermal_zone_temp",
                         "node_timex_offset_seconds", "node_power_supply_online", "node_dmi_info",
                         "node_scrape_collector_success", "node_filefd_allocated"});
}

TEST(GuessSubsystemOf, DcgmExporter) {
  expect_each(kGpu, {"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_MEM_CLOCK",
                     "DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_DEV_XID_ERRORS",
                     "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL"});
}

TEST(GuessSubsystemOf, OpenTelemetry) {
  expect_each(kCpu, {"system_cpu_time", "system_cpu_load_average_1m", "system_processes_count",
                     "process_cpu_time"});
  expect_each(kMemory, {"system_memory_usage", "system_paging_operations", "process_memory_usage"});
  expect_each(kNetwork, {"system_network_io", "system_network_dropped"});
  expect_each(kStorage, {"system_disk_io", "system_filesystem_usage", "process_disk_io"});
  expect_each(kUnknown, {"http_server_request_duration_sum", "system_uptime"});
}

TEST(GuessSubsystemOf, Cadvisor) {
  expect_each(kCpu, {"container_cpu_cfs_throttled_seconds_total", "machine_cpu_cores"});
  expect_each(kMemory, {"container_memory_working_set_bytes", "container_oom_events_total",
                        "machine_memory_bytes"});
  expect_each(kNetwork, {"container_network_transmit_packets_total", "container_sockets"});
  expect_each(kStorage, {"container_fs_reads_bytes_total", "container_blkio_device_usage_total",
                         "container_pressure_io_stalled_seconds_total"});
  expect_each(kUnknown, {"container_threads", "container_last_seen", "container_ulimits_soft"});
}

TEST(GuessSubsystemOf, KubeStateMetrics) {
  expect_each(kCpu, {"kube_node_status_capacity_cpu_cores"});
  expect_each(kMemory, {"kube_node_status_allocatable_memory_bytes"});
  expect_each(kStorage, {"kube_persistentvolumeclaim_resource_requests_storage_bytes"});
  expect_each(kUnknown, {"kube_pod_status_phase", "kube_pod_container_status_restarts_total",
                         "kube_networkpolicy_labels", "kube_deployment_status_replicas"});
}

TEST(GuessSubsystemOf, Databases) {
  expect_each(kCpu, {"redis_cpu_sys_seconds_total", "process_cpu_seconds_total"});
  expect_each(kMemory, {"redis_memory_used_bytes", "redis_mem_fragmentation_ratio"});
  expect_each(kNetwork, {"redis_net_input_bytes_total"});
  expect_each(kUnknown, {"pg_stat_database_xact_commit", "pg_stat_activity_count", "pg_locks_count",
                         "pg_stat_bgwriter_buffers_checkpoint_total", "pg_replication_lag_seconds",
                         "redis_connected_clients", "redis_keyspace_hits_total"});
}

TEST(GuessSubsystemOf, Runtimes) {
  expect_each(kCpu, {"system_cpu_usage", "system_load_average_1m", "process_cpu_usage"});
  expect_each(kMemory, {"jvm_memory_used_bytes", "jvm_buffer_memory_used_bytes",
                        "go_memstats_heap_inuse_bytes", "process_resident_memory_bytes"});
  expect_each(kStorage, {"disk_free_bytes"});
  expect_each(kNetwork, {"process_network_receive_bytes_total"});
  expect_each(kUnknown, {"jvm_threads_live_threads", "jvm_gc_pause_seconds_count", "go_goroutines",
                         "go_gc_duration_seconds", "go_sched_latencies_seconds", "go_threads"});
}

TEST(GuessSubsystemOf, Servers) {
  expect_each(kMemory, {"rabbitmq_process_resident_memory_bytes"});
  expect_each(kStorage, {"rabbitmq_disk_space_available_bytes", "rabbitmq_io_read_bytes_total"});
  expect_each(kNetwork, {"rabbitmq_process_open_tcp_sockets"});
  expect_each(kUnknown, {"rabbitmq_queue_messages_ready", "rabbitmq_channel_consumers",
                         "nginx_connections_active", "nginx_http_requests_total"});
}

TEST(GuessSubsystemOf, NetdataAndTelegraf) {
  expect_each(kCpu, {"netdata_system_cpu_percentage_average", "netdata_system_load_load_average",
                     "netdata_system_intr_interrupts_persec_average",
                     "netdata_system_forks_processes_persec_average", "system_load1",
                     "kernel_context_switches", "kernel_processes_forked", "processes_running"});
  expect_each(kMemory, {"netdata_mem_available_MiB_average", "mem_available_percent", "swap_total",
                        "swap_in", "swap_used_percent"});
  expect_each(kNetwork, {"netdata_net_net_kilobits_persec_average", "net_bytes_recv",
                         "nstat_TcpRetransSegs", "ping_percent_packet_loss"});
  expect_each(kStorage, {"netdata_disk_io_KiB_persec_average", "diskio_read_bytes", "disk_inodes"});
  expect_each(kUnknown, {"netdata_app_processes_average", "system_uptime"});
}

TEST(GuessSubsystemOf, SarAndCollectors) {
  expect_each(kStorage, {"bread_s", "bwrtn_s", "rtps"});
  expect_each(kNetwork, {"totsck", "SOCK_Orph", "interface_if_octets_rx"});
  expect_each(kMemory, {"pgscank_s", "kbmemused", "kbswpfree"});
}

// Words of the hardware that applications use in another sense.
TEST(GuessSubsystemOf, Applications) {
  expect_each(kUnknown, {"interrupted_orders",
                         "interruptions_total",
                         "net_profit_dollars",
                         "eth_price_usd",
                         "bond_yield_ratio",
                         "tx_committed_total",
                         "rx_refills",
                         "sock_shop_orders",
                         "user_interface_clicks",
                         "interface_renders_total",
                         "device_logins_total",
                         "market_sectors",
                         "raid_boss_kills",
                         "bread_sold",
                         "repo_forks_total",
                         "core_web_vitals_lcp",
                         "die_rolls",
                         "token_swap_volume",
                         "swap_rate",
                         "sched_jobs_total",
                         "page_load_average_seconds",
                         "numark_sales",
                         "policy_network_loss",
                         "context_switched_users",
                         "plist_files_parsed",
                         "runnable_jobs",
                         "socket_io_clients",
                         "ad_network_clicks",
                         "userInterfaceClicks",
                         "page_faulty_reports"});
}

// A phrase that is set aside does not make a whole name of what is left.
TEST(GuessSubsystemOf, WhatIsLeftOfAPhraseIsNotTheWholeName) {
  expect_each(kUnknown, {"net_profit_system", "page_load_idle"});
}

TEST(GuessSubsystemOf, KeysOfTheInstance) {
  const auto of = [](const char* metric, const char* instance) {
    return guess_subsystem(metric, instance);
  };
  EXPECT_EQ(of("memory_used_bytes", "gpu=0"), kGpu);
  EXPECT_EQ(of("memory_used_bytes", "pod=a,gpu_uuid=b"), kGpu);
  EXPECT_EQ(of("busy", "cpu=3"), kCpu);
  EXPECT_EQ(of("busy", "CPU=3"), kCpu);
  EXPECT_EQ(of("bytes", "interface=eth0"), kNetwork);
  EXPECT_EQ(of("rxkB_s", "IFACE=eth0"), kNetwork);  // sar
  EXPECT_EQ(of("tps", "DEV=sda"), kStorage);
  EXPECT_EQ(of("bytes", "device=lo"), kNetwork);
  EXPECT_EQ(of("bytes", "device=ib0"), kNetwork);
  EXPECT_EQ(of("bytes", "device=nvme0n1"), kStorage);
  EXPECT_EQ(of("bytes", "device=local"), kStorage);
}

// Kubernetes' labels are on each metric of a node, and say nothing of it.
TEST(GuessSubsystemOf, ALabelThatOnlyContainsAWordTellsNothing) {
  const char* labels = "kubernetes_io_hostname=node7,beta_kubernetes_io_os=linux,cpu=total";
  EXPECT_EQ(guess_subsystem("container_cpu_usage_seconds_total", labels), kCpu);
  EXPECT_EQ(guess_subsystem("container_memory_rss", labels), kMemory);
  EXPECT_EQ(guess_subsystem("orders_total", "kubernetes_io_hostname=node7"), kUnknown);
  EXPECT_EQ(guess_subsystem("orders_total", "device_type=mobile,network_name=main"), kUnknown);
}

// No row is hidden by one of another subsystem above it.
TEST(SubsystemWords, EachRowTellsItsOwnSubsystem) {
  for (const auto& row : subsystem_words::kWordsOfMetrics) {
    std::string name(row.text);
    if (row.match == Match::kNumbered) name += "0";
    if (!row.beside.empty()) name += " " + std::string(row.beside.substr(0, row.beside.find(' ')));
    EXPECT_EQ(guess_subsystem(name, ""), row.subsystem) << name;
  }
}

}  // namespace
}  // namespace reveal::exchange
