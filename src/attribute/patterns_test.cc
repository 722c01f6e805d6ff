#include "attribute/patterns.h"

#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "feature/feature.h"

namespace reveal::attribute {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Names begin with it.
model::Subsystem subsystem_of(std::string_view metric) {
  for (std::size_t i = 0; i < model::kSubsystemCount; ++i) {
    const auto subsystem = static_cast<model::Subsystem>(i);
    if (metric.starts_with(model::to_string(subsystem))) return subsystem;
  }
  return model::Subsystem::kCpu;
}

// Twenty windows of some metrics, each with its usual level and the one in the last two windows.
class Host {
 public:
  void add(std::string_view metric, double usual, double then, std::string_view instance = "") {
    model::MetricDescriptor descriptor;
    descriptor.name = metric;
    descriptor.label = metric;
    descriptor.subsystem = subsystem_of(metric);
    descriptor.kind = metric.ends_with("pages_total") || metric.find("drops") != metric.npos ||
                              metric.find("out_of_order") != metric.npos ||
                              metric.find("retransmits") != metric.npos
                          ? model::Kind::kEvent
                          : model::Kind::kGauge;
    const auto known = channels_.find_metric(metric);
    const auto id = channels_.add_channel(known ? *known : channels_.add_metric(descriptor),
                                          std::string(instance));
    const bool event = descriptor.kind == model::Kind::kEvent;
    matrix_.add_column({id, feature::find_feature(event ? "sum_values" : "mean").value()});
    levels_.emplace_back(usual, then);
  }

  // The blame is every subsystem's alike, unless one has it all.
  std::vector<PatternMatch> read(std::optional<model::Subsystem> blamed = std::nullopt) {
    SubsystemShares blame{};
    if (blamed) blame[static_cast<std::size_t>(*blamed)] = 1;
    if (!blamed) blame.fill(1.0 / model::kSubsystemCount);
    return read(blame);
  }

  std::vector<PatternMatch> read(const SubsystemShares& blame) {
    for (std::size_t row = 0; row < 20; ++row) {
      auto& values = matrix_.add_row({});
      for (std::size_t i = 0; i < levels_.size(); ++i) {
        values[i] = row < 18 ? levels_[i].first : levels_[i].second;
      }
    }
    const auto usual = [&](std::size_t column) { return std::optional(levels_[column].first); };
    return PatternReader(channels_, matrix_, usual).read({18, 19}, blame);
  }

  std::vector<std::string_view> names() {
    std::vector<std::string_view> out;
    for (const auto& one : read()) out.push_back(one.pattern->name);
    return out;
  }

  const model::ChannelTable& channels() const { return channels_; }

 private:
  model::ChannelTable channels_;
  feature::FeatureMatrix matrix_;
  std::vector<std::pair<double, double>> levels_;
};

TEST(Patterns, ASignThatIsThereIsRecognizedWithItsFigures) {
  Host host;
  host.add("memory_swapped_out_pages_total", 0, 5000);
  const auto found = host.read();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pattern->name, "swapping");
  ASSERT_EQ(found[0].signs.size(), 1u);
  EXPECT_EQ(found[0].signs[0].observed, 5000);
  EXPECT_EQ(found[0].signs[0].usual, 0);
}

TEST(Patterns, TooSmallAChangeIsNone) {
  Host host;
  host.add("memory_swapped_out_pages_total", 0, 99);
  host.add("cpu_pressure_some_seconds_total", 0.5, 0.62);  // less than a quarter of what is left
  EXPECT_THAT(host.names(), IsEmpty());
}

// Two ranks on two cores wait for a third of the time by themselves.
TEST(Patterns, AShareThatIsHighAlreadyNeedNotDouble) {
  Host contended;
  contended.add("cpu_pressure_some_seconds_total", 0.36, 0.53);
  EXPECT_THAT(contended.names(), ElementsAre("cpu_contention"));
  Host usual;
  usual.add("cpu_pressure_some_seconds_total", 0.36, 0.51);
  EXPECT_THAT(usual.names(), IsEmpty());
  Host reading;
  reading.add("storage_busy_ratio", 0.36, 0.53);
  EXPECT_THAT(reading.names(), IsEmpty());
}

TEST(Patterns, AllSignsAreNeeded) {
  Host host;
  host.add("storage_busy_ratio", 0.1, 0.9, "dev=sda");
  EXPECT_THAT(host.names(), IsEmpty());
  Host busy;
  busy.add("storage_busy_ratio", 0.1, 0.9, "dev=sda");
  busy.add("storage_queue_depth", 0.1, 20, "dev=sda");
  EXPECT_THAT(busy.names(), ElementsAre("disk_saturated"));
}

TEST(Patterns, TasksThatWaitForADiskThatIsNotBusierWaitForALimit) {
  for (const bool busy : {false, true}) {
    Host host;
    host.add("storage_io_pressure_some_seconds_total", 0.02, 0.3);
    host.add("storage_busy_ratio", 0.05, busy ? 0.3 : 0.06, "dev=sda");
    host.add("storage_queue_depth", 0.1, busy ? 0.7 : 0.1, "dev=sda");
    EXPECT_EQ(host.names().front(), busy ? "disk_saturated" : "io_limit");
  }
}

TEST(Patterns, ALimitIsToldOnlyIfDisksAreKnown) {
  Host unknown;
  unknown.add("storage_io_pressure_some_seconds_total", 0.02, 0.3);
  EXPECT_THAT(unknown.names(), IsEmpty());
  Host busy;
  busy.add("storage_io_pressure_some_seconds_total", 0.02, 0.3);
  busy.add("storage_busy_ratio", 0.1, 0.9, "dev=sda");
  EXPECT_THAT(busy.names(), IsEmpty());
}

TEST(Patterns, WithoutDisksALimitIsToldByWhatControlGroupsReadAndWrite) {
  constexpr double kMiB = 1024 * 1024;
  struct Case {
    double job, neighbor;  // written a second meanwhile, in MiB
    bool known, told;
  };
  for (const auto& one : {Case{2, 5, true, true}, Case{20, 5, true, true}, Case{50, 5, true, false},
                          Case{2, 80, true, false}, Case{2, 5, false, false}}) {
    Host host;
    host.add("storage_cgroup_pressure_some_seconds_total", 0.02, 0.6, "cg=/job");
    if (one.known) host.add("storage_cgroup_read_bytes_total", kMiB, kMiB, "cg=/job,dev=sda");
    host.add("storage_cgroup_written_bytes_total", 20 * kMiB, one.job * kMiB, "cg=/job,dev=sda");
    host.add("storage_cgroup_written_bytes_total", 5 * kMiB, one.neighbor * kMiB,
             "cg=/other,dev=sda");
    const auto names = host.names();
    if (one.told) {
      EXPECT_THAT(names, ElementsAre("io_limit"));
    } else {
      EXPECT_THAT(names, IsEmpty());
    }
  }
}

// What control groups do is not asked where a disk says it.
TEST(Patterns, WithDisksALimitIsToldOnceAndByTheDisks) {
  Host host;
  host.add("storage_io_pressure_some_seconds_total", 0.02, 0.3);
  host.add("storage_cgroup_pressure_some_seconds_total", 0.02, 0.6, "cg=/job");
  host.add("storage_cgroup_read_bytes_total", 0, 0, "cg=/job,dev=sda");
  host.add("storage_cgroup_written_bytes_total", 0, 1e7, "cg=/job,dev=sda");
  host.add("storage_busy_ratio", 0.05, 0.06, "dev=sda");
  EXPECT_THAT(host.names(), ElementsAre("io_limit"));
}

TEST(Patterns, ALinkThatFlapsAndDamagedSegmentsHaveAdvice) {
  Host flaps;
  flaps.add("network_carrier_changes_total", 0, 2, "dev=eth0");
  EXPECT_THAT(flaps.names(), ElementsAre("link_flaps"));
  Host damaged;
  damaged.add("network_tcp_checksum_errors_total", 0, 60);
  EXPECT_THAT(damaged.names(), ElementsAre("damaged_segments"));
}

TEST(Patterns, ALinkWithFewerLanesAndStallsForMemoryHaveAdvice) {
  Host gpu;
  gpu.add("gpu_pcie_link_narrow_flag", 0, 1, "gpu=0");
  EXPECT_THAT(gpu.names(), ElementsAre("gpu_link_narrow"));
  Host adapter;
  adapter.add("network_pcie_link_narrow_flag", 0, 1, "dev=eth0");
  EXPECT_THAT(adapter.names(), ElementsAre("adapter_link_narrow"));
  Host memory;
  memory.add("memory_l3_stall_ratio", 0.12, 0.4, "cpu=1");
  EXPECT_THAT(memory.names(), ElementsAre("memory_stalls"));
  Host little;
  little.add("memory_l3_stall_ratio", 0.12, 0.2, "cpu=1");
  EXPECT_THAT(little.names(), IsEmpty());
}

TEST(Patterns, InterruptsOfADeviceOnOneCoreAreNotThoseOfTheNetwork) {
  for (const bool network : {false, true}) {
    Host host;
    host.add("cpu_device_interrupt_top_ratio", 0.2, 0.9);
    host.add("cpu_device_interrupts_total", 300, 20000, "cpu=3");
    host.add("network_softirq_receive_imbalance_ratio", 0.2, network ? 0.9 : 0.2);
    host.add("network_softnet_packets_total", 100, network ? 50000 : 100);
    EXPECT_EQ(host.names().front(), network ? "receive_on_one_core" : "interrupts_on_one_core");
  }
}

TEST(Patterns, LossesOfAPodAreToldOfThePod) {
  Host host;
  host.add("network_cgroup_tcp_retransmit_ratio", 0.001, 0.06, "cg=/kubepods/pod1");
  host.add("network_cgroup_tcp_retransmit_ratio", 0.001, 0.002, "cg=/kubepods/pod2");
  const auto found = host.read();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pattern->name, "group_segments_sent_again");
  EXPECT_EQ(host.channels().name(found[0].signs.at(0).channel),
            "network_cgroup_tcp_retransmit_ratio{cg=/kubepods/pod1}");
}

TEST(Patterns, WhatArguesAgainstItIsKeptAndPutsItLast) {
  Host host;
  host.add("storage_busy_ratio", 0.1, 0.9, "dev=sda");
  host.add("storage_queue_depth", 0.1, 20, "dev=sda");
  host.add("memory_writeback_bytes", 0, 1e9);
  const auto found = host.read();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].pattern->name, "write_back_surge");
  EXPECT_THAT(found[0].against, IsEmpty());
  EXPECT_EQ(found[1].pattern->name, "disk_saturated");
  ASSERT_EQ(found[1].against.size(), 1u);
  EXPECT_EQ(host.channels().name(found[1].against[0].channel), "memory_writeback_bytes");
}

TEST(Patterns, OfSeveralChannelsTheOneThatMovedMostSpeaks) {
  Host host;
  for (const auto* disk : {"dev=sda", "dev=sdb", "dev=sdc"}) {
    const bool moved = std::string_view(disk) == "dev=sdb";
    host.add("storage_busy_ratio", 0.1, moved ? 0.9 : 0.1, disk);
    host.add("storage_queue_depth", 0.1, moved ? 20 : 0.1, disk);
  }
  const auto found = host.read();
  ASSERT_EQ(found.size(), 1u);
  for (const auto& sign : found[0].signs) {
    EXPECT_THAT(host.channels().name(sign.channel), ::testing::HasSubstr("sdb"));
  }
}

// Of two hosts that share a loss, the one that gets segments out of order has it.
TEST(Patterns, WhatIsSentAgainPointsToTheOtherEnd) {
  Host sender;
  sender.add("network_tcp_retransmits_total", 40, 1600);
  sender.add("network_tcp_sack_recoveries_total", 1, 150);
  sender.add("network_tcp_out_of_order_total", 70, 90);
  const auto found = sender.read();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pattern->name, "segments_sent_again");
  EXPECT_EQ(found[0].pattern->cause, Cause::kOtherEnd);

  Host receiver;
  receiver.add("network_tcp_retransmits_total", 40, 300);
  receiver.add("network_tcp_sack_recoveries_total", 1, 20);
  receiver.add("network_tcp_out_of_order_total", 70, 100000);
  const auto here = receiver.read();
  ASSERT_EQ(here.size(), 2u);
  EXPECT_EQ(here[0].pattern->name, "segments_lost");
  EXPECT_EQ(here[0].pattern->cause, Cause::kHere);
  EXPECT_THAT(here[1].against, ::testing::SizeIs(1));
}

TEST(Patterns, WhatGoesOnInAnotherSubsystemExplainsNothing) {
  Host host;
  host.add("memory_swapped_out_pages_total", 0, 5000);
  EXPECT_THAT(host.read(model::Subsystem::kGpu), IsEmpty());
}

TEST(Patterns, AGpuIsSharedOnceAnotherGroupWorksThere) {
  Host host;
  host.add("gpu_shared_sm_busy_ratio", 0, 0.48, "gpu=0");
  host.add("gpu_throttle_power_cap_active", 0, 1, "gpu=0");
  EXPECT_THAT(host.names(), ElementsAre("gpu_shared", "gpu_power_cap"));
  Host alone;
  alone.add("gpu_shared_sm_busy_ratio", 0, 0, "gpu=0");
  alone.add("gpu_cgroup_sm_busy_ratio", 0.1, 0.97, "cg=/job,gpu=0");
  EXPECT_THAT(alone.names(), IsEmpty());
  Host always;
  always.add("gpu_shared_sm_busy_ratio", 0.4, 0.48, "gpu=0");
  EXPECT_THAT(always.names(), IsEmpty());
}

TEST(Patterns, AnAmdGpuSaysItByACountOrByAFlag) {
  Host counts;
  counts.add("gpu_amd_heat_limited_ratio", 0.02, 0.6, "gpu=0");
  counts.add("gpu_amd_power_limited_ratio", 0.1, 0.1, "gpu=0");
  EXPECT_THAT(counts.names(), ElementsAre("gpu_amd_heat"));
  Host flags;
  flags.add("gpu_amd_thermal_throttle_flag", 0, 1, "gpu=0");
  flags.add("gpu_amd_power_throttle_flag", 0, 1, "gpu=0");
  EXPECT_THAT(flags.names(), ElementsAre("gpu_amd_heat", "gpu_amd_power_limit"));
  // Work at the power limit is the usual state of a busy accelerator.
  Host always;
  always.add("gpu_amd_power_limited_ratio", 0.7, 0.75, "gpu=0");
  EXPECT_THAT(always.names(), IsEmpty());
}

TEST(Patterns, AFallIsASignToo) {
  Host host;
  host.add("gpu_busy_ratio", 0.9, 0.2, "gpu=0");
  EXPECT_THAT(host.names(), ElementsAre("gpu_starved"));
}

// Three of them are the kernel's, so a job with half as many leaves more than half.
TEST(Patterns, FewQueuePairsAreNamedOnlyIfTheAdapterIsStillUsed) {
  struct Case {
    double queue_pairs, contexts, sent;  // usually 35, 8 and 100 MiB/s
    bool named;
  };
  constexpr double kMiB = 1024 * 1024;
  for (const auto& one : {Case{5, 8, 60, true}, Case{19, 8, 100, true}, Case{30, 8, 60, false},
                          Case{3, 0, 60, false}, Case{3, 8, 5, false}}) {
    Host host;
    host.add("network_rdma_queue_pairs", 35, one.queue_pairs, "dev=mlx5_0");
    host.add("network_rdma_contexts", 8, one.contexts, "dev=mlx5_0");
    host.add("network_infiniband_sent_bytes_total", 100 * kMiB, one.sent * kMiB, "dev=mlx5_0");
    const auto found = host.names();
    EXPECT_EQ(found.size(), one.named ? 1u : 0u) << one.queue_pairs << " " << one.contexts;
    EXPECT_EQ(found.empty() ? "few_queue_pairs" : found.front(), "few_queue_pairs");
  }
}

// What the network and the storage say of themselves, each by its own sign.
TEST(Patterns, SignsThatSayItAlone) {
  const auto names_of = [](std::string_view metric, double after, const char* instance) {
    Host host;
    host.add(metric, 0, after, instance);
    return host.names();
  };
  EXPECT_THAT(names_of("network_bond_down_members", 1, "dev=bond0"),
              ElementsAre("bond_member_down"));
  EXPECT_THAT(names_of("network_conntrack_drops_total", 40, ""),
              ElementsAre("connection_table_full"));
  EXPECT_THAT(names_of("network_neighbor_table_fulls_total", 40, "table=arp"),
              ElementsAre("neighbor_table_full"));
  EXPECT_THAT(names_of("network_qdisc_drops_total", 400, "dev=eth0"),
              ElementsAre("send_queue_drops"));
  EXPECT_THAT(names_of("storage_raid_sync_active_flag", 1, "dev=md0"), ElementsAre("raid_sync"));
  EXPECT_THAT(names_of("storage_multipath_failed_paths", 2, "dev=dm-0"), ElementsAre("paths_lost"));
  EXPECT_THAT(names_of("storage_fc_link_failures_total", 2, "fc=host1"),
              ElementsAre("storage_link_fails"));
  EXPECT_THAT(names_of("storage_nfs_retransmits_total", 30, ""), ElementsAre("nfs_not_answering"));
  EXPECT_THAT(names_of("network_qdisc_drops_total", 3, "dev=eth0"), IsEmpty());
}

TEST(Patterns, HaveWholeRowsAndNamesOfTheirOwn) {
  std::set<std::string_view> names;
  std::set<std::string_view> fallbacks;
  for (const auto& pattern : patterns()) {
    auto& taken = pattern.without.empty() ? names : fallbacks;
    EXPECT_TRUE(taken.insert(pattern.name).second) << pattern.name;
    EXPECT_FALSE(pattern.needs[0].metric.empty()) << pattern.name;
    for (const auto text : {pattern.title, pattern.meaning, pattern.remedy}) {
      EXPECT_FALSE(text.empty()) << pattern.name;
    }
    EXPECT_TRUE(pattern.meaning.ends_with('.') && pattern.remedy.ends_with('.')) << pattern.name;
    for (const auto& sign : pattern.needs) {
      EXPECT_EQ(sign.metric.empty(), sign.least == 0) << pattern.name;
    }
    for (const auto& sign : pattern.unmoved) {
      EXPECT_EQ(sign.metric.empty(), sign.least == 0) << pattern.name;
    }
  }
}

TEST(Patterns, OneOfAnotherSubsystemIsBesides) {
  Host host;
  host.add("storage_busy_ratio", 0.1, 0.9, "dev=sda");
  host.add("storage_queue_depth", 0.1, 20, "dev=sda");
  host.add("cpu_pressure_some_seconds_total", 0.02, 0.9);
  SubsystemShares blame{};
  blame[static_cast<std::size_t>(model::Subsystem::kStorage)] = 0.58;
  blame[static_cast<std::size_t>(model::Subsystem::kCpu)] = 0.42;
  const auto found = host.read(blame);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].pattern->name, "disk_saturated");
  EXPECT_TRUE(found[0].advises());
  EXPECT_EQ(found[1].pattern->name, "cpu_contention");
  EXPECT_TRUE(found[1].beside);
  EXPECT_FALSE(found[1].advises());
}

}  // namespace
}  // namespace reveal::attribute
