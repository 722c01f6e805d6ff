#include "demo/memory_group.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/temp_dir.h"
#include "demo/job.h"
#include "demo/process.h"

namespace reveal::demo {
namespace {

namespace fs = std::filesystem;
using Folders = std::vector<fs::path>;

constexpr const char* kMemoryV1 =
    "36 32 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "37 32 0:32 / /sys/fs/cgroup/memory rw shared:14 - cgroup cgroup rw,memory\n"
    "41 32 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
constexpr const char* kV2 = "31 24 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n";

TEST(MemoryFolders, AreThoseAboveTheProcessOfTheHierarchyThatLimitsMemory) {
  EXPECT_EQ(
      memory_folders(kMemoryV1, "5:cpu:/x\n4:memory:/a/b\n0::/c\n"),
      (Folders{"/sys/fs/cgroup/memory/a/b", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory"}));
  EXPECT_EQ(memory_folders(kV2, "0::/user.slice/session-3.scope\n"),
            (Folders{"/sys/fs/cgroup/user.slice/session-3.scope", "/sys/fs/cgroup/user.slice",
                     "/sys/fs/cgroup"}));
  EXPECT_EQ(memory_folders(kV2, "0::/\n"), Folders{"/sys/fs/cgroup"});
  // Two controllers may share a hierarchy.
  EXPECT_EQ(memory_folders("37 32 0:32 / /cg/both rw - cgroup cgroup rw,cpu,memory\n",
                           "3:cpu,memory:/a\n"),
            (Folders{"/cg/both/a", "/cg/both"}));
}

TEST(MemoryFolders, AContainersMountHidesWhatIsAbove) {
  EXPECT_EQ(memory_folders("37 32 0:32 /docker/ab /sys/fs/cgroup/memory ro - cgroup cgroup "
                           "rw,memory\n",
                           "4:memory:/docker/ab/job\n"),
            (Folders{"/sys/fs/cgroup/memory/job", "/sys/fs/cgroup/memory"}));
}

TEST(MemoryFolders, AreNoneWhereNothingLimitsMemory) {
  EXPECT_TRUE(memory_folders("", "4:memory:/a\n").empty());
  EXPECT_TRUE(memory_folders(kMemoryV1, "4:cpu:/a\n").empty());
  EXPECT_TRUE(
      memory_folders("36 32 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n", "5:cpu:/a\n")
          .empty());
}

TEST(MemoryGroup, IsMadeNowhereIfNoFolderIsOne) {
  const base::TempDir folder;
  const auto group = MemoryGroup::make({folder.path(), folder.path() / "absent"});
  ASSERT_FALSE(group);
  EXPECT_EQ(group.error().kind, base::ErrorKind::kPermission);
  EXPECT_NE(group.error().message().find("run it as root"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(MemoryGroup, IsMadeInTheNextFolderIfTheFirstIsNone) {
  const auto folders = own_memory_folders();
  ASSERT_TRUE(folders);
  const base::TempDir elsewhere;
  Folders all{elsewhere.path()};
  all.insert(all.end(), folders->begin(), folders->end());
  const auto group = MemoryGroup::make(all);
  if (!group) GTEST_SKIP() << group.error().message();
  EXPECT_TRUE(fs::is_empty(elsewhere.path()));
}

// The kernel's own count: what a job reads again and again fits, and then no more.
TEST(MemoryGroup, TakesTheDataOfTheJobFromItsMemory) {
  const auto folders = own_memory_folders();
  ASSERT_TRUE(folders);
  const base::TempDir work;
  fs::path path;
  {
    const auto group = MemoryGroup::make(*folders);
    if (!group) GTEST_SKIP() << group.error().message();
    path = group->path();
    const auto usage = [&] {
      for (const char* name : {"memory.usage_in_bytes", "memory.current"}) {
        std::int64_t bytes = 0;
        if (std::ifstream(path / name) >> bytes) return bytes >> 20;
      }
      return std::int64_t{-1};
    };
    const auto job = start_process("the job", [&] {
      fs::current_path(work.path());
      if (!files_can_be_read_again()) return 77;
      return run_job(std::chrono::seconds(3), path) ? 0 : 1;
    });
    ASSERT_TRUE(job);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    const auto before = usage();
    EXPECT_TRUE(group->limit(std::int64_t{24} << 20));
    const auto limited = usage();
    EXPECT_TRUE(group->lift());
    const int status = status_of(*job);
    if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no folder on a disk";
    EXPECT_EQ(status, 0);
    EXPECT_GE(before, 64);
    EXPECT_LE(limited, 26);
  }
  EXPECT_FALSE(fs::exists(path)) << "the group is gone";
}

}  // namespace
}  // namespace reveal::demo
