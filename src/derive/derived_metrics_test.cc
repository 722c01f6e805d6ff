#include "derive/derived_metrics.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::derive {
namespace {

const DerivedMetric& row(std::string_view name) {
  for (const auto& candidate : derived_metrics()) {
    if (candidate.descriptor.name == name) return candidate;
  }
  ADD_FAILURE() << "no derived metric " << name;
  return derived_metrics().front();
}

double compute(std::string_view name, const std::vector<double>& values) {
  return row(name).compute(values);
}

TEST(DerivedMetrics, RowsAreComplete) {
  std::set<std::string_view> names;
  for (const auto& metric : derived_metrics()) {
    const auto& descriptor = metric.descriptor;
    SCOPED_TRACE(std::string(descriptor.name));
    EXPECT_TRUE(names.insert(descriptor.name).second);
    EXPECT_TRUE(descriptor.name.starts_with(model::to_string(descriptor.subsystem)));
    EXPECT_FALSE(descriptor.label.empty());
    EXPECT_FALSE(descriptor.unit.empty());
    EXPECT_TRUE(descriptor.source.starts_with("derived: "));
    EXPECT_TRUE(descriptor.doc_url.starts_with("https://"));
    EXPECT_TRUE(descriptor.help.ends_with("."));
    EXPECT_EQ(descriptor.kind, model::Kind::kGauge);
    EXPECT_EQ(descriptor.scale, 1.0);
    EXPECT_EQ(descriptor.unit == "ratio", descriptor.name.ends_with("_ratio"));
    ASSERT_FALSE(metric.inputs.empty());
    EXPECT_TRUE(metric.shape == Shape::kPerInstance || metric.inputs.size() == 1);
    ASSERT_NE(metric.compute, nullptr);
  }
}

TEST(DerivedMetrics, CpuShares) {
  // user, nice, system, irq, softirq, steal, idle, iowait: seconds per second of one core.
  const std::vector<double> states{0.30, 0.05, 0.10, 0.01, 0.04, 0.10, 0.25, 0.15};
  EXPECT_NEAR(compute("cpu_busy_ratio", states), 0.60, 1e-12);
  EXPECT_NEAR(compute("cpu_iowait_ratio", states), 0.15, 1e-12);
  EXPECT_NEAR(compute("cpu_steal_ratio", states), 0.10, 1e-12);
  // Four cores together: shares, not sums.
  std::vector<double> host = states;
  for (double& state : host) state *= 4;
  EXPECT_NEAR(compute("cpu_busy_ratio", host), 0.60, 1e-12);
  EXPECT_EQ(compute("cpu_busy_ratio", {0, 0, 0, 0, 0, 0, 1, 0}), 0.0);
  EXPECT_EQ(compute("cpu_busy_ratio", {1, 0, 0, 0, 0, 0, 0, 0}), 1.0);
  EXPECT_TRUE(std::isnan(compute("cpu_busy_ratio", {0, 0, 0, 0, 0, 0, 0, 0})));
}

TEST(DerivedMetrics, CpuSharesOfWhatIsKnown) {
  const double none = std::nan("");
  const std::vector<double> no_steal{0.30, 0.05, 0.10, 0.01, 0.04, none, 0.35, 0.15};
  EXPECT_NEAR(compute("cpu_busy_ratio", no_steal), 0.50, 1e-12);
  EXPECT_NEAR(compute("cpu_iowait_ratio", no_steal), 0.15, 1e-12);
  EXPECT_TRUE(std::isnan(compute("cpu_steal_ratio", no_steal)));
  const std::vector<double> no_iowait{0.40, none, 0.10, none, 0.0, 0.10, 0.40, none};
  EXPECT_NEAR(compute("cpu_busy_ratio", no_iowait), 0.60, 1e-12);
  EXPECT_NEAR(compute("cpu_steal_ratio", no_iowait), 0.10, 1e-12);
  EXPECT_TRUE(std::isnan(compute("cpu_iowait_ratio", no_iowait)));
  for (const std::size_t needed : {0U, 2U, 6U}) {
    std::vector<double> states = no_steal;
    states[needed] = none;
    EXPECT_TRUE(std::isnan(compute("cpu_busy_ratio", states))) << needed;
  }
}

TEST(DerivedMetrics, Imbalance) {
  EXPECT_EQ(compute("cpu_imbalance_ratio", {0.5, 0.5, 0.5, 0.5}), 0.0);
  EXPECT_EQ(compute("cpu_imbalance_ratio", {0.0, 0.0}), 0.0);
  // One of four cores does all: std 0.433012..., mean 0.25, ratio sqrt(3).
  EXPECT_NEAR(compute("cpu_imbalance_ratio", {1.0, 0.0, 0.0, 0.0}), std::sqrt(3.0), 1e-12);
  // numpy: std([2,4,4,4,5,5,7,9]) / mean = 2 / 5.
  EXPECT_NEAR(compute("cpu_interrupt_imbalance_ratio", {2, 4, 4, 4, 5, 5, 7, 9}), 0.4, 1e-12);
  EXPECT_TRUE(std::isnan(compute("cpu_imbalance_ratio", {0.5})));
}

TEST(DerivedMetrics, Memory) {
  EXPECT_DOUBLE_EQ(compute("memory_used_ratio", {4e9, 16e9}), 0.75);
  EXPECT_TRUE(std::isnan(compute("memory_used_ratio", {0.0, 0.0})));
  EXPECT_DOUBLE_EQ(compute("memory_dirty_ratio", {1e9, 16e9}), 0.0625);
  // 100 free, 20 of them promised, 2 MiB each, of 1 GiB.
  EXPECT_DOUBLE_EQ(compute("memory_hugepages_idle_ratio", {100, 20, 2097152, 1073741824}), 0.15625);
}

TEST(DerivedMetrics, WhatHoldsAmdGpusBack) {
  // Of 1000 ticks 250 at the limit of power.
  EXPECT_DOUBLE_EQ(compute("gpu_amd_power_limited_ratio", {250, 1000}), 0.25);
  // Prochot, socket, regulators, memory; the firmware's ticks.
  EXPECT_DOUBLE_EQ(compute("gpu_amd_heat_limited_ratio", {0, 100, 50, 400, 1000}), 0.4);
  EXPECT_DOUBLE_EQ(compute("gpu_amd_heat_limited_ratio", {300, 100, 50, 0, 1000}), 0.3);
  EXPECT_EQ(compute("gpu_amd_heat_limited_ratio", {0, 0, 0, 0, 1000}), 0.0);
  EXPECT_TRUE(std::isnan(compute("gpu_amd_heat_limited_ratio", {0, 0, 0, 0, 0})));
}

TEST(DerivedMetrics, MemoryOfNodesAndPools) {
  EXPECT_DOUBLE_EQ(compute("memory_hugepages_unused_ratio", {20e9, 80e9}), 0.25);
  EXPECT_DOUBLE_EQ(compute("memory_dirty_threshold_ratio", {3e9, 1e9, 16e9}), 0.25);
  EXPECT_TRUE(std::isnan(compute("memory_dirty_threshold_ratio", {3e9, 1e9, 0})));
  // 100 faults/s fell back, 300 did not.
  EXPECT_DOUBLE_EQ(compute("memory_huge_fault_fallback_ratio", {100, 300}), 0.25);
  EXPECT_EQ(compute("memory_huge_fault_fallback_ratio", {100, 0}), 1.0);
  EXPECT_EQ(compute("memory_huge_fault_fallback_ratio", {0, 0}), 0.0);
  EXPECT_DOUBLE_EQ(compute("memory_fragmentation_ratio", {3e9, 4e9}), 0.25);
  EXPECT_EQ(compute("memory_fragmentation_ratio", {4e9, 4e9}), 0.0);
  EXPECT_TRUE(std::isnan(compute("memory_fragmentation_ratio", {0, 0})));
  EXPECT_DOUBLE_EQ(compute("memory_node_remote_ratio", {1000, 3000}), 0.25);
  EXPECT_EQ(compute("memory_node_remote_ratio", {0, 0}), 0.0);
}

TEST(DerivedMetrics, SchedulingDelay) {
  // 50 ms/s waited, 500 ms/s ran.
  EXPECT_DOUBLE_EQ(compute("cpu_scheduling_delay_ratio", {0.05, 0.5}), 0.1);
  EXPECT_EQ(compute("cpu_scheduling_delay_ratio", {0.0, 0.0}), 0.0);
  EXPECT_TRUE(std::isnan(compute("cpu_scheduling_delay_ratio", {0.05, 0.0})));
  EXPECT_NEAR(compute("network_softirq_receive_imbalance_ratio", {2, 4, 4, 4, 5, 5, 7, 9}), 0.4,
              1e-12);
}

TEST(DerivedMetrics, Storage) {
  EXPECT_DOUBLE_EQ(compute("storage_busy_ratio", {0.4}), 0.4);
  EXPECT_EQ(compute("storage_busy_ratio", {1.02}), 1.0);
  // 50 reads/s that took 0.25 s/s together: 5 ms each.
  EXPECT_DOUBLE_EQ(compute("storage_read_latency_seconds", {0.25, 50}), 0.005);
  EXPECT_EQ(compute("storage_write_latency_seconds", {0.0, 0.0}), 0.0);
  EXPECT_DOUBLE_EQ(compute("storage_queue_depth", {3.5}), 3.5);
}

// turbostat's formulas: 2.0 GHz base and clock, half the time busy at 3.2 GHz.
TEST(DerivedMetrics, Clocks) {
  const double tsc = 2.0e9;
  const double mperf = 1.0e9;
  const double aperf = 1.6e9;
  EXPECT_DOUBLE_EQ(compute("cpu_unhalted_ratio", {mperf, tsc}), 0.5);
  EXPECT_DOUBLE_EQ(compute("cpu_busy_frequency_hertz", {tsc, aperf, mperf}), 3.2e9);
  EXPECT_DOUBLE_EQ(compute("cpu_average_frequency_hertz", {aperf}), 1.6e9);
  EXPECT_DOUBLE_EQ(compute("cpu_tsc_hertz", {tsc}), 2.0e9);
  EXPECT_DOUBLE_EQ(compute("cpu_productive_ratio", {1.2e9, aperf}), 0.75);
  EXPECT_DOUBLE_EQ(compute("cpu_core_c6_ratio", {0.5e9, tsc}), 0.25);
  EXPECT_DOUBLE_EQ(compute("cpu_package_c2_ratio", {0.2e9, tsc}), 0.1);
  EXPECT_TRUE(std::isnan(compute("cpu_unhalted_ratio", {0.0, 0.0})));
  EXPECT_TRUE(std::isnan(compute("cpu_busy_frequency_hertz", {tsc, 0.0, 0.0})));
  EXPECT_DOUBLE_EQ(compute("cpu_host_busy_frequency_hertz", {3.2e9, 2.4e9, 2.8e9}), 2.8e9);
  EXPECT_DOUBLE_EQ(compute("cpu_host_frequency_hertz", {1.0e9, 3.0e9}), 2.0e9);
  EXPECT_DOUBLE_EQ(compute("cpu_package_power_watts", {215.0}), 215.0);
  EXPECT_DOUBLE_EQ(compute("memory_dram_power_watts", {18.5}), 18.5);
}

TEST(DerivedMetrics, PerfRatios) {
  EXPECT_DOUBLE_EQ(compute("cpu_ipc_ratio", {3.0e9, 2.0e9}), 1.5);
  EXPECT_DOUBLE_EQ(compute("cpu_branch_miss_ratio", {2.0e6, 1.0e8}), 0.02);
  EXPECT_DOUBLE_EQ(compute("memory_cache_miss_ratio", {1.0e6, 4.0e6}), 0.25);
  EXPECT_DOUBLE_EQ(compute("memory_cache_misses_per_1000_instructions", {6.0e6, 3.0e9}), 2.0);
  EXPECT_DOUBLE_EQ(compute("memory_l3_stall_ratio", {0.5e9, 2.0e9}), 0.25);
  EXPECT_DOUBLE_EQ(compute("cpu_stall_ratio", {1.5e9, 2.0e9}), 0.75);
  EXPECT_DOUBLE_EQ(compute("cpu_frontend_stall_ratio", {0.2e9, 2.0e9}), 0.1);
  EXPECT_DOUBLE_EQ(compute("cpu_backend_stall_ratio", {0.8e9, 2.0e9}), 0.4);
  EXPECT_DOUBLE_EQ(compute("memory_backend_stall_ratio", {1.0e9, 2.0e9}), 0.5);
  EXPECT_DOUBLE_EQ(compute("memory_offcore_occupancy_ratio", {7.0e9, 2.0e9}), 3.5);
  EXPECT_DOUBLE_EQ(compute("memory_remote_dram_ratio", {1.0e6, 3.0e6}), 0.25);
  EXPECT_DOUBLE_EQ(compute("memory_remote_fill_ratio", {3.0e6, 1.0e6}), 0.75);
  EXPECT_TRUE(std::isnan(compute("memory_remote_dram_ratio", {0.0, 0.0})));
  EXPECT_TRUE(std::isnan(compute("cpu_ipc_ratio", {0.0, 0.0})));
  EXPECT_DOUBLE_EQ(compute("memory_dram_bandwidth_bytes_per_second", {6.4e9, 3.2e9}), 9.6e9);
  EXPECT_DOUBLE_EQ(
      compute("memory_dram_channels_bandwidth_bytes_per_second", {1, 2, 4, 8, 16, 32, 64, 128}),
      255.0);
}

TEST(DerivedMetrics, Network) {
  EXPECT_DOUBLE_EQ(compute("network_tcp_retransmit_ratio", {5, 1000}), 0.005);
  EXPECT_EQ(compute("network_tcp_retransmit_ratio", {0, 0}), 0.0);
  EXPECT_DOUBLE_EQ(compute("network_tcp_retransmit_ratio", {3, 150}), 0.0075);
  EXPECT_DOUBLE_EQ(compute("network_cgroup_tcp_retransmit_ratio", {5, 1000}), 0.005);
  EXPECT_DOUBLE_EQ(compute("network_cgroup_tcp_retransmit_ratio", {1, 2}), 0.0025);
  EXPECT_EQ(compute("network_cgroup_tcp_retransmit_ratio", {0, 0}), 0.0);
  EXPECT_EQ(compute("network_cgroup_traffic_bytes_per_second", {300, 40}), 340);
  // 2.5 and 5 GB/s of a link of 100 Gb/s: 20 and 40 Gb/s.
  EXPECT_DOUBLE_EQ(compute("network_use_ratio", {2.5e9, 5e9, 100e9}), 0.6);
  EXPECT_DOUBLE_EQ(compute("network_infiniband_use_ratio", {2.5e9, 5e9, 100e9}), 0.4);
  EXPECT_DOUBLE_EQ(compute("network_infiniband_use_ratio", {5e9, 2.5e9, 100e9}), 0.4);
  EXPECT_TRUE(std::isnan(compute("network_use_ratio", {2.5e9, 5e9, 0})));
  EXPECT_DOUBLE_EQ(compute("network_rdma_congestion_marked_ratio", {50, 1000}), 0.05);
  EXPECT_EQ(compute("network_rdma_congestion_marked_ratio", {0, 0}), 0.0);
}

TEST(DerivedMetrics, DevicesAgainstEachOther) {
  EXPECT_DOUBLE_EQ(compute("cpu_device_interrupt_top_ratio", {100, 600, 100, 0}), 0.75);
  EXPECT_EQ(compute("cpu_device_interrupt_top_ratio", {0, 0}), 0.0);
  EXPECT_TRUE(std::isnan(compute("cpu_device_interrupt_top_ratio", {100})));
  EXPECT_DOUBLE_EQ(compute("gpu_busy_spread_ratio", {0.75, 1.0, 0.25, 0.5}), 0.75);
  EXPECT_EQ(compute("gpu_busy_spread_ratio", {1.0, 1.0}), 0.0);
  EXPECT_TRUE(std::isnan(compute("gpu_busy_spread_ratio", {0.75})));
  EXPECT_DOUBLE_EQ(compute("gpu_metered_power_watts", {412.5}), 412.5);
}

}  // namespace
}  // namespace reveal::derive
