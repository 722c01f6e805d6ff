#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

TEST(FileHandles, OpenFilesAndTheirLimit) {
  TestHost host(*find_collector("file_handles"));
  host.write("proc/sys/fs/file-nr", "638\t0\t10000\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("memory_open_files"), 638);
  EXPECT_EQ(host.value("memory_open_files_limit"), 10000);
}

}  // namespace
}  // namespace reveal::collect
