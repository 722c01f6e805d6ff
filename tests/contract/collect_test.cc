// Every collector of the registry, over every fixture host: it yields what it declares and no more,
// and is absent where there is nothing; damage_test.cc has what happens when its files break. Some
// channels of each host are checked against values read off the fixture by eye.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "collect/metric_status.h"
#include "collect/sampler.h"
#include "collector_bench.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using model::ChannelId;

TEST(CollectContract, YieldsOnlyDeclaredMetricsOnEveryHost) {
  for (const auto& host : hosts()) {
    for (const auto& descriptor : registry()) {
      SCOPED_TRACE(host.filename().string() + " " + std::string(descriptor.name));
      std::set<std::string_view> declared;
      const auto metrics = descriptor.metrics();
      for (const auto& metric : metrics) declared.insert(metric.name);
      Bench bench(descriptor, root_of(host));
      if (!bench.open()) continue;
      const auto opened_with = bench.channels().channel_count();
      EXPECT_EQ(bench.tick().size(), opened_with);
      EXPECT_EQ(bench.channels().channel_count(), opened_with) << "channels appeared late";
      for (std::size_t i = 0; i < bench.channels().channel_count(); ++i) {
        EXPECT_TRUE(declared.contains(bench.channels().metric(ChannelId(i)).name));
      }
    }
  }
}

TEST(CollectContract, EveryFileCollectorWorksOnSomeHost) {
  for (const auto& descriptor : registry()) {
    const auto metrics = descriptor.metrics();
    if (!is_of_files(metrics.front().source)) continue;  // of the running kernel only
    bool works = false;
    for (const auto& host : hosts()) {
      Bench bench(descriptor, root_of(host));
      works = works || (bench.open() && !bench.tick().empty());
    }
    EXPECT_TRUE(works) << descriptor.name;
  }
}

TEST(CollectContract, AbsentOnAnEmptyRoot) {
  const Copy empty("");
  for (const auto& descriptor : host_collectors()) {
    Bench bench(descriptor, root_of(empty.path()));
    const auto opened = bench.open();
    ASSERT_FALSE(opened) << descriptor.name;
    EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent) << descriptor.name;
    EXPECT_EQ(bench.channels().channel_count(), 0u) << descriptor.name;
  }
  EXPECT_FALSE(Sampler::open({.root = root_of(empty.path())}));
}

TEST(CollectContract, SurveySaysWhatIsMissingAndWhy) {
  for (const auto& host : hosts()) {
    std::size_t expected = 0;
    for (const auto& descriptor : registry()) expected += descriptor.metrics().size();
    const auto statuses = survey(root_of(host)).value();
    EXPECT_EQ(statuses.size(), expected);
    for (const auto& status : statuses) {
      EXPECT_NE(status.available(), !status.reason.empty()) << host << status.metric.name;
    }
  }
  std::map<std::string_view, MetricStatus> old;
  const auto statuses = survey(root_of(fixtures() / "server-8cpu-linux-4.18")).value();
  for (const auto& status : statuses) {
    old.emplace(status.metric.name, status);
  }
  const auto& pressure = old.at("storage_io_pressure_some_seconds_total");
  EXPECT_THAT(pressure.reason, ::testing::HasSubstr("proc/pressure/io: No such file"));
  EXPECT_THAT(pressure.remedy, ::testing::HasSubstr("CONFIG_PSI"));
  EXPECT_EQ(old.at("storage_flushes_total").reason, "not in this kernel's /proc/diskstats");
  EXPECT_EQ(old.at("memory_percpu_bytes").reason, "not in this kernel's /proc/meminfo");
  EXPECT_THAT(old.at("storage_reads_total").instances,
              ::testing::ElementsAre("dev=nvme0n1", "dev=nvme1n1"));
}

TEST(CollectContract, CapturedHostHasTheValuesOfItsFiles) {
  Values values = values_of(fixtures() / "vm-2cpu-linux-6.18");
  EXPECT_EQ(values.at("cpu_user_seconds_total"), 82357u);
  EXPECT_EQ(values.at("cpu_user_seconds_total{cpu=1}"), 44834u);
  EXPECT_EQ(values.at("cpu_steal_seconds_total{cpu=0}"), 117u);
  EXPECT_EQ(values.at("memory_installed_bytes"), 24684092u);
  EXPECT_EQ(values.at("memory_dirty_bytes"), 1104u);
  EXPECT_EQ(values.at("storage_read_sectors_total{dev=vda}"), 7410970u);
  EXPECT_EQ(values.at("storage_flush_seconds_total{dev=vda}"), 87u);
  EXPECT_FALSE(values.contains("storage_reads_total{dev=loop0}"));
  EXPECT_FALSE(values.contains("storage_reads_total{dev=zram0}"));
  EXPECT_EQ(values.at("network_received_bytes_total{dev=eth0}"), 25535519u);
  EXPECT_FALSE(values.contains("network_received_bytes_total{dev=ifb0}"));
  EXPECT_FALSE(values.contains("cpu_irq_pressure_full_seconds_total"));
}

TEST(CollectContract, NewerNodeHasTheValuesOfItsFiles) {
  Values values = values_of(fixtures() / "node-4cpu-linux-6.8");
  EXPECT_EQ(values.at("cpu_irq_pressure_full_seconds_total"), 7000006u);
  EXPECT_EQ(values.at("storage_io_pressure_full_seconds_total"), 7000005u);
  EXPECT_EQ(values.at("cpu_threshold_interrupts_total{cpu=1}"), 2u);
  EXPECT_EQ(values.at("cpu_deferred_error_interrupts_total{cpu=2}"), 3u);
  EXPECT_EQ(values.at("cpu_machine_check_exceptions_total{cpu=3}"), 1u);
  EXPECT_EQ(values.at("storage_device_interrupts_total{cpu=1}"), 2000u);
  EXPECT_EQ(values.at("network_device_interrupts_total{cpu=2}"), 600u);
  EXPECT_EQ(values.at("gpu_device_interrupts_total{cpu=3}"), 70u);
}

TEST(CollectContract, OldServerHasTheValuesOfItsFiles) {
  Values values = values_of(fixtures() / "server-8cpu-linux-4.18");
  // Core 3 is offline: the columns behind it still belong to the cores that the header names.
  EXPECT_EQ(values.at("cpu_user_seconds_total{cpu=4}"), 100400u);
  EXPECT_FALSE(values.contains("cpu_user_seconds_total{cpu=3}"));
  EXPECT_EQ(values.at("cpu_timer_interrupts_total{cpu=4}"), 5000004u);
  EXPECT_FALSE(values.contains("cpu_timer_interrupts_total{cpu=3}"));
  EXPECT_EQ(values.at("network_softirq_receive_total{cpu=7}"), 400007u);
  // Queues of one kind of device are added up; the two NVMe queues of core 7 wrap at 2^32.
  EXPECT_EQ(values.at("network_mlx5_interrupts_total{cpu=0}"), 1000u + 10 + 5);
  EXPECT_EQ(values.at("network_mlx5_interrupts_total{cpu=7}"), 8000u + 80);
  EXPECT_EQ(values.at("network_device_interrupts_total{cpu=2}"), 7u);
  EXPECT_EQ(values.at("storage_device_interrupts_total{cpu=4}"), 500u);
  EXPECT_EQ(values.at("storage_device_interrupts_total{cpu=7}"), 2u);
  EXPECT_EQ(values.at("gpu_device_interrupts_total{cpu=0}"), 11u);
  EXPECT_EQ(values.at("cpu_other_device_interrupts_total{cpu=7}"), 1u);
  EXPECT_EQ(values.at("cpu_device_interrupts_total{cpu=4}"), 5000u + 50 + 500);
  EXPECT_EQ(values.at("cpu_device_interrupts_total{cpu=7}"), 8000u + 80 + 2 + 1);
  EXPECT_EQ(values.at("cpu_interrupt_errors_total"), 3u);
  EXPECT_EQ(values.at("cpu_thermal_event_interrupts_total{cpu=7}"), 12u);
  EXPECT_EQ(values.at("memory_huge_free_pages"), 32u);
  EXPECT_EQ(values.at("memory_swapped_out_pages_total"), 151u);
  EXPECT_EQ(values.at("storage_read_seconds_total{dev=nvme0n1}"), 4294967000u);
  EXPECT_EQ(values.at("storage_discard_seconds_total{dev=nvme0n1}"), 2u);
  EXPECT_EQ(values.at("storage_reads_total{dev=nvme1n1}"), 0u);  // unused, but a real disk
  EXPECT_FALSE(values.contains("storage_reads_total{dev=nvme0n1p1}"));
  EXPECT_FALSE(values.contains("storage_flushes_total{dev=nvme0n1}"));
  EXPECT_EQ(values.at("network_received_bytes_total{dev=ib0}"), ~0ULL);
  EXPECT_EQ(values.at("network_collisions_total{dev=eth0}"), 9u);
  EXPECT_EQ(values.at("network_tcp_retransmits_total"), 321u);
  EXPECT_EQ(values.at("network_udp_receive_errors_total"), 3u);
  EXPECT_FALSE(values.contains("network_udp_memory_errors_total"));
  EXPECT_EQ(values.at("network_tcp_timeouts_total"), 99u);
  EXPECT_EQ(values.at("network_ip_congestion_marks_total"), 17u);
}

TEST(CollectContract, BrokenHostGivesWhatIsSoundAndNoMore) {
  const Values expected = {
      {"cpu_user_seconds_total", 10},
      {"cpu_nice_seconds_total", 20},
      {"cpu_idle_seconds_total", 40},
      {"cpu_iowait_seconds_total", 50},
      {"cpu_irq_seconds_total", 60},
      {"cpu_softirq_seconds_total", 70},
      {"cpu_steal_seconds_total", 80},
      {"cpu_guest_seconds_total", 90},
      {"cpu_guest_nice_seconds_total", 100},
      {"cpu_user_seconds_total{cpu=0}", 1},
      {"cpu_nice_seconds_total{cpu=0}", 2},
      {"cpu_idle_seconds_total{cpu=0}", 4},
      {"cpu_irq_seconds_total{cpu=0}", 6},
      {"cpu_softirq_seconds_total{cpu=0}", 7},
      {"cpu_steal_seconds_total{cpu=0}", 8},
      {"cpu_guest_seconds_total{cpu=0}", 9},
      {"cpu_guest_nice_seconds_total{cpu=0}", 10},
      {"cpu_online_cores", 2},
      {"memory_installed_bytes", 1000},
      {"memory_page_faults_total", 77},
      {"network_udp_receive_errors_total", 6},
      {"network_mtu_bytes{dev=eth7}", 9000},
      {"network_receive_queues{dev=eth7}", 1},
      {"network_infiniband_physical_state{dev=mlx5_9,port=1}", 5},
      {"network_infiniband_management_packets_dropped_total{dev=mlx5_9,port=1}", 3},
      {"cpu_frequency_hertz{cpu=1}", 1500000},
      {"cpu_idle_state_seconds_total{cpu=0,state=state0}", 77},
      {"cpu_idle_state_entries_total{cpu=1,state=C1__odd___}", 88},
      {"cpu_uncore_frequency_hertz{package=0,domain=1,cluster=2}", 2200000},
      {"cpu_uncore_frequency_hertz{uncore=uncore01}", 1},
      {"cpu_powercap_range_joules{package=0,die=1}", 262143328850},
      {"cpu_powercap_uncore_joules_total{package=0,die=1}", 5000},
      {"cpu_thermal_zone_celsius{zone=unknown}", real(31000)},
      {"cpu_cooling_highest_level{cooling=Fan}", 1},
      {"gpu_sensor_temperature_celsius{chip=nouveau@0000:17:00.0,sensor=GPU}", real(52000)},
      {"gpu_pcie_link_maximum_lanes{pci=0000:17:00.0}", 16},
      {"gpu_pcie_link_maximum_transfers_per_second{pci=0000:17:00.0}", real(8)},
      {"gpu_pcie_link_nonfatal_errors_total{pci=0000:17:00.0}", 5},
      {"memory_corrected_errors_total{mc=0}", 4294967296},
      {"memory_chip_row_corrected_errors_total{mc=0,csrow=0}", 3},
      {"memory_chip_row_uncorrected_errors_total{mc=0,csrow=0}", 1},
  };
  EXPECT_EQ(values_of(fixtures() / "broken"), expected);
}

}  // namespace
}  // namespace reveal::collect
