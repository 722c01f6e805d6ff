// Space of file systems, against another call of the same kernel.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/live_collector.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

// The standard library asks the same file systems; files of this machine may change between.
TEST(FilesystemLive, AgreesWithTheStandardLibrary) {
  const LiveCollector live(find_collector("filesystem")->make());
  int checked = 0;
  for (const char* point : {"/", "/dev/shm"}) {
    const auto used = live.whole(std::string("storage_filesystem_used_bytes{mount=") + point + "}");
    if (!used) continue;
    ++checked;
    const auto space = fs::space(point);
    const auto expected = static_cast<double>(space.capacity - space.free);
    const double tolerance = 0.01 * static_cast<double>(space.capacity);
    EXPECT_NEAR(static_cast<double>(*used), expected, tolerance) << point;
    const auto ratio = live.real(std::string("storage_filesystem_used_ratio{mount=") + point + "}");
    ASSERT_TRUE(ratio) << point;
    EXPECT_NEAR(*ratio, expected / (expected + static_cast<double>(space.available)), 0.01);
  }
  if (checked == 0) GTEST_SKIP() << "no local file system at a place that this test knows";
}

TEST(FilesystemLive, ACapturedTreeIsNotAskedHere) {
  TestHost host(*find_collector("filesystem"));
  host.write("proc/self/mountinfo", "27 1 254:0 / / rw - ext4 /dev/vda rw\n");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

}  // namespace
}  // namespace reveal::collect
