// Derived metrics against the collectors: every input is a metric that some collector declares, and
// every derived metric comes out on at least one fixture host.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include "collect/registry.h"
#include "derive/deriver.h"

namespace reveal::derive {
namespace {

namespace fs = std::filesystem;
const fs::path kFixtures = fs::path(REVEAL_SOURCE_DIR) / "tests/hosts";

std::vector<model::MetricDescriptor> collected_metrics() {
  std::vector<model::MetricDescriptor> out;
  for (const auto& collector : collect::registry()) {
    const auto metrics = collector.metrics();
    out.insert(out.end(), metrics.begin(), metrics.end());
  }
  return out;
}

// The derived values of one fixture host, by channel name, after a tick in which nothing moved.
std::map<std::string, double> derive_from(const fs::path& host) {
  model::ChannelTable channels;
  model::Frame frame;
  std::vector<std::unique_ptr<collect::Collector>> open;
  const procfs::HostRoot root{(host / "proc").string(), (host / "sys").string()};
  for (const auto& descriptor : collect::registry()) {
    auto collector = descriptor.make();
    if (collector->open(root, channels)) open.push_back(std::move(collector));
  }
  Deriver deriver;
  std::map<std::string, double> out;
  for (int tick = 0; tick < 2; ++tick) {
    frame.mono_ns += 100'000'000;
    frame.validity.assign(frame.validity.size(), model::Validity::kMissing);
    collect::FrameWriter writer(channels, frame);
    for (const auto& collector : open) collector->collect(writer);
    const auto row = deriver.step(channels, frame);
    for (std::size_t i = 0; i < row.size(); ++i) {
      out[deriver.channels().name(model::ChannelId(i))] = row[i];
    }
  }
  return out;
}

TEST(DerivedInputs, AreDeclaredByCollectorsOrByRowsAbove) {
  std::set<std::string_view> known;
  for (const auto& metric : collected_metrics()) known.insert(metric.name);
  for (const auto& row : derived_metrics()) {
    for (const auto input : row.inputs) {
      EXPECT_TRUE(known.contains(input)) << row.descriptor.name << " needs " << input;
    }
    EXPECT_TRUE(known.insert(row.descriptor.name).second) << row.descriptor.name;
  }
}

TEST(DerivedInputs, LabelsDifferFromThoseOfCollectors) {
  std::set<std::string_view> labels;
  for (const auto& metric : collected_metrics()) labels.insert(metric.label);
  for (const auto& row : derived_metrics()) {
    EXPECT_TRUE(labels.insert(row.descriptor.label).second) << row.descriptor.label;
  }
}

// Returns the metrics that come from system calls or from a driver's library, which no captured
// host answers.
std::set<std::string_view> metrics_of_no_file() {
  std::set<std::string_view> out;
  for (const auto& metric : collected_metrics()) {
    if (metric.source.starts_with("perf ") || metric.source.starts_with("nvml")) {
      out.insert(metric.name);
    }
  }
  for (const auto& row : derived_metrics()) {
    if (std::any_of(row.inputs.begin(), row.inputs.end(),
                    [&](auto input) { return out.contains(input); })) {
      out.insert(row.descriptor.name);
    }
  }
  return out;
}

TEST(DerivedInputs, EveryDerivedMetricComesOutOnSomeFixtureHost) {
  const auto excepted = metrics_of_no_file();
  std::set<std::string> computed;
  for (const auto& entry : fs::directory_iterator(kFixtures)) {
    if (!entry.is_directory()) continue;
    for (const auto& [name, value] : derive_from(entry.path())) {
      computed.insert(name.substr(0, name.find('{')));
    }
  }
  for (const auto& row : derived_metrics()) {
    EXPECT_NE(computed.contains(std::string(row.descriptor.name)),
              excepted.contains(row.descriptor.name))
        << row.descriptor.name;
  }
}

// Expected values are divided by hand from the fixture's meminfo.
TEST(DerivedInputs, ValuesOfAKnownHost) {
  const auto values = derive_from(kFixtures / "server-8cpu-linux-4.18");
  EXPECT_NEAR(values.at("memory_used_ratio"), 23858176.0 / 263858176.0, 1e-12);
  EXPECT_NEAR(values.at("memory_dirty_ratio"), 2048.0 / 263858176.0, 1e-12);
  EXPECT_NEAR(values.at("memory_hugepages_idle_ratio"), 31 * 2048.0 / 263858176.0, 1e-12);
  // Nothing moved: no I/O, no segments, and time that did not pass is not idleness.
  EXPECT_EQ(values.at("storage_busy_ratio{dev=nvme0n1}"), 0.0);
  EXPECT_EQ(values.at("storage_read_latency_seconds{dev=nvme0n1}"), 0.0);
  EXPECT_EQ(values.at("network_tcp_retransmit_ratio"), 0.0);
  EXPECT_TRUE(std::isnan(values.at("cpu_busy_ratio{cpu=7}")));
  EXPECT_FALSE(values.contains("cpu_busy_ratio{cpu=3}"));  // offline
}

// Divided by hand: blocks of order 9 and more are (1 + 1 + 10) * 512 + (2 + 300 + 5000) * 1024
// pages of node 0 and none of node 1; awk added up those of all orders.
TEST(DerivedInputs, ValuesOfTwoNodes) {
  const auto values = derive_from(kFixtures / "dual-intel-2node");
  EXPECT_NEAR(values.at("memory_hugepages_unused_ratio"), 20971520.0 / 528482304.0, 1e-12);
  EXPECT_NEAR(values.at("memory_fragmentation_ratio{node=0}"), 1.0 - 5435392.0 / 5497092.0, 1e-12);
  EXPECT_EQ(values.at("memory_fragmentation_ratio{node=1}"), 1.0);
  // 500,000 KiB of 2,500,000 pages.
  const auto page_kib = static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1024.0;
  EXPECT_NEAR(values.at("memory_dirty_threshold_ratio"), 0.2 / page_kib, 1e-12);
  EXPECT_EQ(values.at("memory_node_remote_ratio{node=1}"), 0.0);
  EXPECT_EQ(values.at("cpu_scheduling_delay_ratio{cpu=7}"), 0.0);
  // Traffic and speed come from different files, and mean the same device.
  EXPECT_EQ(values.at("network_use_ratio{dev=ens1f0}"), 0.0);
  EXPECT_EQ(values.at("network_infiniband_use_ratio{dev=mlx5_1,port=1}"), 0.0);
  EXPECT_EQ(values.at("network_rdma_congestion_marked_ratio{dev=mlx5_0,port=1}"), 0.0);
}

}  // namespace
}  // namespace reveal::derive
