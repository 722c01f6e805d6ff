// Values of the fixture hosts' load, schedule, receive path, sockets, NUMA nodes, huge pages and
// disks' queues, read off the files by eye.
#include <string>

#include <gmock/gmock.h>

#include "collector_bench.h"

namespace reveal::collect {
namespace {

TEST(MemoryValues, CapturedHost) {
  const Values values = values_of(fixtures() / "vm-2cpu-linux-6.18");
  EXPECT_EQ(values.at("cpu_load_1min_tasks"), 481u);
  EXPECT_EQ(values.at("cpu_load_15min_tasks"), 107u);
  EXPECT_EQ(values.at("cpu_load_runnable_tasks"), 8u);
  EXPECT_EQ(values.at("cpu_threads_tasks"), 146u);
  EXPECT_EQ(values.at("network_softnet_packets_total{cpu=0}"), 0xb96c8u);
  EXPECT_EQ(values.at("network_softnet_packets_total{cpu=1}"), 0x40213u);
  EXPECT_EQ(values.at("network_used_sockets"), 15u);
  EXPECT_EQ(values.at("network_tcp_allocated_sockets"), 1u);
  EXPECT_EQ(values.at("network_tcp6_used_sockets"), 0u);
  // By awk: the sums over zones of blocks, and of blocks times their pages.
  EXPECT_EQ(values.at("memory_free_large_blocks{node=0}"), 1378u);
  EXPECT_EQ(values.at("memory_free_large_block_bytes{node=0}"), 1408512u);
  EXPECT_EQ(values.at("memory_hugepages_pool_pages{size=1048576kB}"), 0u);
  EXPECT_EQ(values.at("memory_node_hugepages_free_pages{node=0,size=2048kB}"), 0u);
  EXPECT_EQ(values.at("memory_hugepages_unused_bytes"), 0u);
  EXPECT_EQ(values.at("memory_node_distance{node=0,to=0}"), 10u);
  EXPECT_EQ(values.at("storage_queue_limit_requests{dev=vda}"), 256u);
  EXPECT_EQ(values.at("storage_read_ahead_bytes{dev=vda}"), 8192u);
  EXPECT_EQ(values.at("storage_reads_in_flight_requests{dev=vda}"), 0u);
  EXPECT_FALSE(values.contains("storage_queue_limit_requests{dev=loop0}"));
  EXPECT_FALSE(values.contains("cpu_task_wait_seconds_total{cpu=0}"));
}

// In hundredths of a percent.
TEST(MemoryValues, PressureAverages) {
  const Values values = values_of(fixtures() / "node-4cpu-linux-6.8");
  EXPECT_EQ(values.at("cpu_pressure_some_10s_ratio"), 100u);
  EXPECT_EQ(values.at("memory_pressure_full_10s_ratio"), 0u);
  EXPECT_EQ(values.at("storage_io_pressure_some_10s_ratio"), 50u);
  EXPECT_EQ(values.at("storage_io_pressure_full_10s_ratio"), 40u);
  EXPECT_EQ(values.at("cpu_irq_pressure_full_10s_ratio"), 3u);
}

TEST(MemoryValues, OldServer) {
  const Values values = values_of(fixtures() / "server-8cpu-linux-4.18");
  // Core 3 is offline and this kernel does not number its lines: the fourth is of core 4.
  EXPECT_EQ(values.at("network_softnet_packets_total{cpu=4}"), 0x1004u);
  EXPECT_EQ(values.at("network_softnet_drops_total{cpu=4}"), 4u);
  EXPECT_EQ(values.at("network_softnet_squeezes_total{cpu=4}"), 0x24u);
  EXPECT_EQ(values.at("network_softnet_steered_wakeups_total{cpu=7}"), 0x37u);
  EXPECT_FALSE(values.contains("network_softnet_packets_total{cpu=3}"));
  EXPECT_FALSE(values.contains("network_softnet_backlog_packets{cpu=4}"));
  EXPECT_EQ(values.at("cpu_task_run_seconds_total{cpu=4}"), 1000000004u);
  EXPECT_EQ(values.at("cpu_task_wait_seconds_total{cpu=4}"), 200000004u);
  EXPECT_EQ(values.at("cpu_timeslices_total{cpu=7}"), 30007u);
  EXPECT_EQ(values.at("cpu_yields_total{cpu=7}"), 17u);
  EXPECT_EQ(values.at("network_tcp_time_wait_sockets"), 4u);
  EXPECT_EQ(values.at("network_udp_buffer_bytes"), 2u);
  EXPECT_EQ(values.at("memory_free_large_blocks{node=0}"), 109u);
  EXPECT_EQ(values.at("memory_free_large_block_bytes{node=0}"), 109056u);
  EXPECT_EQ(values.at("memory_free_block_bytes{node=0}"), 118941u);
}

TEST(MemoryValues, TwoNodes) {
  const Values values = values_of(fixtures() / "dual-intel-2node");
  EXPECT_EQ(values.at("cpu_load_5min_tasks"), 825u);
  EXPECT_EQ(values.at("network_softnet_packets_total{cpu=7}"), 1000007u);
  EXPECT_EQ(values.at("network_softnet_flow_limit_drops_total{cpu=7}"), 0x307u);
  EXPECT_EQ(values.at("network_softnet_backlog_packets{cpu=5}"), 5u);
  EXPECT_EQ(values.at("cpu_task_wait_seconds_total{cpu=6}"), 700000006u);
  EXPECT_EQ(values.at("network_udp6_used_sockets"), 7u);
  EXPECT_EQ(values.at("memory_free_large_blocks{node=0}"), 5314u);
  EXPECT_EQ(values.at("memory_free_large_blocks{node=1}"), 0u);
  EXPECT_EQ(values.at("memory_node_hits_total{node=0}"), 9000000000u);
  EXPECT_EQ(values.at("memory_node_misses_total{node=1}"), 2000u);
  EXPECT_EQ(values.at("memory_node_foreign_total{node=0}"), 2000u);
  EXPECT_EQ(values.at("memory_node_interleaved_total{node=1}"), 60001u);
  EXPECT_EQ(values.at("memory_node_local_total{node=1}"), 5000000000u);
  EXPECT_EQ(values.at("memory_node_remote_total{node=1}"), 2000002000u);
  EXPECT_EQ(values.at("memory_node_free_bytes{node=1}"), 10000000u);
  EXPECT_EQ(values.at("memory_node_used_bytes{node=1}"), 254241152u);
  EXPECT_EQ(values.at("memory_node_unevictable_bytes{node=0}"), 4194304u);
  EXPECT_EQ(values.at("memory_node_huge_pool_pages{node=1}"), 2048u);
  EXPECT_EQ(values.at("memory_node_huge_free_pages{node=0}"), 6144u);
  EXPECT_EQ(values.at("memory_node_distance{node=0,to=1}"), 21u);
  EXPECT_EQ(values.at("memory_node_distance{node=1,to=1}"), 10u);
}

TEST(MemoryValues, HugePagesOfEverySize) {
  const Values values = values_of(fixtures() / "dual-intel-2node");
  EXPECT_EQ(values.at("memory_hugepages_pool_pages{size=1048576kB}"), 16u);
  EXPECT_EQ(values.at("memory_hugepages_reserved_pages{size=2048kB}"), 1024u);
  EXPECT_EQ(values.at("memory_hugepages_surplus_pages{size=1048576kB}"), 1u);
  EXPECT_EQ(values.at("memory_node_hugepages_free_pages{node=0,size=1048576kB}"), 12u);
  EXPECT_EQ(values.at("memory_node_hugepages_pool_pages{node=1,size=2048kB}"), 2048u);
  // (6144 - 1024) * 2 MiB + (12 - 2) * 1 GiB = 10 GiB + 10 GiB.
  EXPECT_EQ(values.at("memory_hugepages_unused_bytes"), 20ULL << 30);
}

TEST(MemoryValues, DisksAndStorage) {
  const Values values = values_of(fixtures() / "dual-intel-2node");
  EXPECT_EQ(values.at("storage_reads_in_flight_requests{dev=nvme0n1}"), 12u);
  EXPECT_EQ(values.at("storage_writes_in_flight_requests{dev=nvme0n1}"), 3u);
  EXPECT_EQ(values.at("storage_queue_limit_requests{dev=sda}"), 64u);
  EXPECT_EQ(values.at("storage_read_ahead_bytes{dev=sda}"), 4096u);
  EXPECT_EQ(values.at("storage_rotational_flag{dev=sda}"), 1u);
  EXPECT_EQ(values.at("storage_raid_missing_disks{dev=md0}"), 1u);
  EXPECT_FALSE(values.contains("storage_raid_missing_disks{dev=sda}"));
  EXPECT_FALSE(values.contains("storage_reads_in_flight_requests{dev=loop1}"));
  EXPECT_EQ(values.at("storage_nfs_calls_total"), 5000000u);
  EXPECT_EQ(values.at("storage_nfs_retransmits_total"), 123u);
  EXPECT_EQ(values.at("storage_lustre_read_bytes_total{mount=scratch-ffff9e1c40a2b800}"),
            4253024256u);
  EXPECT_EQ(values.at("storage_lustre_written_bytes_total{mount=scratch-ffff9e1c40a2b800}"),
            40960u);
}

}  // namespace
}  // namespace reveal::collect
