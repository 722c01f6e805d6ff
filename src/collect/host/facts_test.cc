// The facts that collectors tell of a fixture host: each once, when it changes, and its end when it
// can no longer be read. Expected texts are read off the fixture's files.
#include <bit>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

#include "collect/cpu/values_by_core.h"
#include "collect/registry.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using Facts = std::map<std::string, std::string>;

class FactsTest : public ::testing::Test {
 protected:
  FactsTest() : path_(fs::path(::testing::TempDir()) / ("facts_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::copy(fs::path(REVEAL_SOURCE_DIR) / "tests/hosts/server-8cpu-linux-4.18", path_,
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }
  ~FactsTest() override { fs::remove_all(path_); }

  void open(std::unique_ptr<Collector> collector) {
    collector_ = std::move(collector);
    const auto opened =
        collector_->open({(path_ / "proc").string(), (path_ / "sys").string()}, channels_);
    ASSERT_TRUE(opened) << opened.error().message();
  }
  void write(const char* file, std::string_view text) {
    std::ofstream(path_ / file, std::ios::binary | std::ios::trunc) << text;
  }
  void remove(const char* file) { fs::remove(path_ / file); }

  // Reads once and returns the facts that were news.
  Facts news() {
    frame_.notes.clear();
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
    Facts out;
    for (const auto& note : frame_.notes) {
      EXPECT_EQ(note.kind, model::Note::Kind::kFact);
      EXPECT_TRUE(out.emplace(note.subject, note.text).second) << note.subject << " twice";
    }
    return out;
  }
  procfs::Value value(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    if (!id || !frame_.was_read(*id)) return std::nullopt;
    return frame_.bits[id->index()];
  }

  fs::path path_;
  std::unique_ptr<Collector> collector_;
  model::ChannelTable channels_;
  model::Frame frame_;
};

TEST_F(FactsTest, OfTheProcessors) {
  open(find_collector("cpu_facts")->make());
  const Facts first = news();
  EXPECT_EQ(first.at("processor model"), "Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz");
  EXPECT_EQ(first.at("microcode"), "0x5003303");
  EXPECT_EQ(first.at("frequency governor"), "performance on 0-2,4; powersave on 5-7");
  EXPECT_EQ(first.at("frequency driver"), "intel_pstate");
  EXPECT_EQ(first.at("vulnerability meltdown"), "Mitigation: PTI");
  EXPECT_EQ(first.at("simultaneous multithreading"), "on");
  EXPECT_EQ(first.at("clock source"), "tsc");
  EXPECT_EQ(first.at("isolated cores"), "6-7");
  EXPECT_EQ(value("cpu_microcode_revision"), 0x5003303u);
  EXPECT_EQ(value("cpu_performance_governor_policies"), 4u);
  EXPECT_EQ(value("cpu_open_vulnerabilities"), 2u);
  EXPECT_EQ(value("cpu_mitigated_vulnerabilities"), 3u);
  EXPECT_EQ(value("cpu_isolated_cores"), 2u);
  EXPECT_EQ(value("cpu_smt_active"), 1u);
  EXPECT_THAT(news(), IsEmpty());
}

TEST_F(FactsTest, AreToldAgainWhenTheyChangeAndEndWithTheirFile) {
  open(find_collector("cpu_facts")->make());
  news();
  write("sys/devices/system/cpu/cpufreq/policy4/scaling_governor", "powersave\n");
  EXPECT_THAT(news(),
              ElementsAre(Pair("frequency governor", "performance on 0-2; powersave on 4-7")));
  EXPECT_EQ(value("cpu_performance_governor_policies"), 3u);
  remove("sys/devices/system/clocksource/clocksource0/current_clocksource");
  EXPECT_THAT(news(), ElementsAre(Pair("clock source", "")));
  EXPECT_THAT(news(), IsEmpty());
  write("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
  EXPECT_THAT(news(), ElementsAre(Pair("clock source", "hpet")));
}

TEST_F(FactsTest, OfTheHost) {
  open(find_collector("host_facts")->make());
  const Facts first = news();
  EXPECT_EQ(first.at("kernel release"), "4.18.0");
  EXPECT_EQ(first.at("kernel command line"),
            "BOOT_IMAGE=... root=... ro crashkernel=... intel_iommu=on iommu=pt isolcpus=6-7 "
            "nohz_full=6-7 rhgb quiet");
  EXPECT_EQ(first.at("firmware version"), "2.14.1");
  EXPECT_EQ(first.at("I/O memory domain"), "identity");
  EXPECT_EQ(first.at("transparent huge pages"), "always");
  EXPECT_EQ(first.at("transparent huge page defragmentation"), "madvise");
  EXPECT_EQ(first.at("NVIDIA driver"),
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC "
            "2023");
  EXPECT_EQ(first.at("NVIDIA driver parameters"),
            "EnableMSI 1, NVreg_RestrictProfilingToAdminUsers 1, RegistryDwords \"\"");
  EXPECT_EQ(value("cpu_iommu_units"), 2u);
  EXPECT_EQ(value("gpu_peer_memory_loaded"), 1u);
  EXPECT_EQ(value("memory_transparent_huge_page_mode"), 2u);
  EXPECT_THAT(news(), IsEmpty());
  fs::remove_all(path_ / "sys/module/nvidia_peermem");
  news();
  EXPECT_EQ(value("gpu_peer_memory_loaded"), 0u);
}

TEST_F(FactsTest, BalancerIsSeenInTheHostsProcessTableOnly) {
  open(find_collector("host_facts")->make());
  news();
  EXPECT_EQ(value("cpu_irqbalance_running"), 1u);
  remove("proc/1377/comm");
  news();
  EXPECT_EQ(value("cpu_irqbalance_running"), 0u);
  write("proc/2/comm", "sh\n");
  news();
  EXPECT_EQ(value("cpu_irqbalance_running"), std::nullopt);
}

TEST_F(FactsTest, OfInterrupts) {
  open(find_collector("irq_affinity")->make());
  const Facts first = news();
  // 0, 96, 97, 120, 140 and 141; 151 is nobody's.
  EXPECT_EQ(value("cpu_irq_confined_interrupts"), 6u);
  EXPECT_EQ(value("cpu_irq_serving_cores"), 5u);    // 0, 1, 2, 4, 7
  EXPECT_EQ(value("cpu_irq_most_interrupts"), 5u);  // core 0: 0, 96, 98, 130, 150
  EXPECT_EQ(first.at("interrupts of mlx5_comp@pci:0000:3b:00.0"), "2 on cores 0-1");
  EXPECT_EQ(first.at("interrupts of nvme0q"), "2 on cores 0,4");
  EXPECT_EQ(first.at("interrupts of nvme1q"), "2 on cores 7");
  EXPECT_EQ(first.at("interrupts of nvidia"), "1 on cores 0");
  EXPECT_THAT(news(), IsEmpty());
  write("proc/irq/97/effective_affinity_list", "0\n");
  EXPECT_THAT(news(),
              ElementsAre(Pair("interrupts of mlx5_comp@pci:0000:3b:00.0", "2 on cores 0")));
  EXPECT_EQ(value("cpu_irq_serving_cores"), 4u);
  fs::remove_all(path_ / "proc/irq/150");
  EXPECT_THAT(news(), ElementsAre(Pair("interrupts of nvidia", "")));
}

TEST_F(FactsTest, OfSoManyInterruptsThatOneReadingIsNotEnough) {
  for (int irq = 1000; irq < 1600; ++irq) {
    const auto folder = path_ / "proc/irq" / std::to_string(irq);
    fs::create_directories(folder);
    std::ofstream(folder / "smp_affinity_list") << "3\n";
    std::ofstream(folder / "effective_affinity_list") << "3\n";
  }
  open(find_collector("irq_affinity")->make());
  news();
  EXPECT_EQ(value("cpu_irq_confined_interrupts"), 606u);
  EXPECT_EQ(value("cpu_irq_most_interrupts"), 600u);
  write("proc/irq/1599/smp_affinity_list", "0-7\n");
  for (int reading = 0; reading < 4; ++reading) news();
  EXPECT_EQ(value("cpu_irq_confined_interrupts"), 605u);
}

TEST_F(FactsTest, OfKernelParameters) {
  open(find_collector("sysctl")->make());
  EXPECT_THAT(news(), ElementsAre(Pair("TCP congestion control", "htcp"),
                                  Pair("default queueing discipline", "fq_codel")));
  EXPECT_EQ(value("memory_swappiness_level"), 10u);
  EXPECT_EQ(value("memory_numa_balancing_mode"), 1u);
  EXPECT_EQ(value("network_tcp_receive_buffer_maximum_bytes"), 134217728u);
  const auto runtime = value("cpu_realtime_runtime_seconds");
  ASSERT_TRUE(runtime);
  EXPECT_EQ(std::bit_cast<double>(*runtime), -1.0);
}

TEST_F(FactsTest, OfTheNodesOfDevices) {
  open(find_collector("pci_node")->make());
  EXPECT_THAT(news(), IsEmpty());
  EXPECT_EQ(value("gpu_pci_numa_node{pci=0000:17:00.0}"), 0u);
  EXPECT_EQ(value("gpu_pci_numa_node{pci=0000:65:00.0}"), 1u);
  EXPECT_EQ(value("storage_pci_numa_node{pci=0000:d8:00.0}"), 1u);
  EXPECT_EQ(channels_.channel_count(), 4u);  // no bridge, no adapter, and no node of -1
}

TEST(ValuesByCore, OneValueNeedsNoCores) {
  ValuesByCore values;
  EXPECT_EQ(values.text(), "");
  values.add(0, "a");
  values.add(1, "a");
  EXPECT_EQ(values.text(), "a");
  values.add(2, "b");
  values.add(3, "a");
  EXPECT_EQ(values.text(), "a on 0-1,3; b on 2");
  EXPECT_EQ(values.count("a"), 3u);
  values.clear();
  EXPECT_TRUE(values.empty());
  values.add(5, "c");
  EXPECT_EQ(values.text(), "c");
}

}  // namespace
}  // namespace reveal::collect
