#include <filesystem>
#include <optional>

#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/told_facts.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

using HostFacts = ToldFacts;

TEST_F(HostFacts, OfTheHost) {
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

TEST_F(HostFacts, BalancerIsSeenInTheHostsProcessTableOnly) {
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

}  // namespace
}  // namespace reveal::collect
