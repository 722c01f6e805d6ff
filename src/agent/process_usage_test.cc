#include "agent/process_usage.h"

#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temp_dir.h"

namespace reveal::agent {
namespace {

// The process's name holds blanks and a bracket. By proc(5): 150 and 50 ticks of CPU, started 1000
// ticks after the boot, 256 pages resident.
TEST(ProcessUsage, IsWhatTheKernelCounts) {
  const base::TempDir dir;
  std::ofstream(dir.path() / "stat")
      << "42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 5 0 1000 9999 256 1\n";
  std::ofstream(dir.path() / "cmdline") << std::string("reveal\0agent-judge\0--x\0", 23);
  std::ofstream(dir.path() / "limits")
      << "Limit                     Soft Limit           Hard Limit           Units     \n"
         "Max open files            1024                 524288               files     \n";
  const auto usage = usage_of(dir.path().string(), 5'000'000'000);
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  EXPECT_EQ(usage.name, "agent-judge");
  EXPECT_DOUBLE_EQ(usage.cpu_s.value(), 200 / ticks);
  EXPECT_EQ(usage.resident_bytes, 256U * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
  EXPECT_EQ(usage.start_wall_ns, 5'000'000'000 + static_cast<std::int64_t>(1e12 / ticks));
  EXPECT_EQ(usage.most_files, 1024U);
  EXPECT_FALSE(usage.open_files) << "it has no folder fd";
}

TEST(ProcessUsage, OfAProcessThatIsGoneIsNotKnown) {
  const auto usage = usage_of("/proc/nosuch", 0);
  EXPECT_FALSE(usage.cpu_s);
  EXPECT_FALSE(usage.resident_bytes);
  EXPECT_FALSE(usage.start_wall_ns);
}

TEST(ProcessUsage, OfThisProcessIsReal) {
  const auto usage = usage_of("/proc/self", 0);
  EXPECT_GT(usage.resident_bytes.value(), 1'000'000U);
  EXPECT_GT(usage.open_files.value(), 2U);
  std::vector<std::ifstream> more;
  for (int i = 0; i < 10; ++i) more.emplace_back("/proc/self/stat");
  EXPECT_EQ(usage_of("/proc/self", 0).open_files, usage.open_files.value() + more.size());
}

}  // namespace
}  // namespace reveal::agent
