// Not fuzzed here: mountinfo_test.cc's case gives it any text.
#include "procfs/cgroup_mounts.h"

#include <gmock/gmock.h>

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CgroupMounts, HybridHostHasBothVersions) {
  const auto mounts = parse_cgroup_mounts(
      "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
      "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup "
      "rw,cpu,cpuacct\n"
      "40 31 0:37 / /sys/fs/cgroup/systemd rw shared:2 master:1 - cgroup cgroup "
      "rw,xattr,name=systemd\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n");
  ASSERT_EQ(mounts.size(), 3u);
  EXPECT_EQ(mounts[0].point, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_FALSE(mounts[0].unified);
  EXPECT_TRUE(mounts[0].has("cpu"));
  EXPECT_TRUE(mounts[0].has("cpuacct"));
  EXPECT_FALSE(mounts[0].has("memory"));
  EXPECT_THAT(mounts[1].options, ElementsAre("rw", "xattr", "name=systemd"));
  EXPECT_TRUE(mounts[2].unified);
  EXPECT_FALSE(mounts[2].has("nsdelegate"));
}

TEST(CgroupMounts, ContainerSeesItsOwnGroupAsTheTop) {
  const auto mounts =
      parse_cgroup_mounts("9 8 0:29 /docker/ab12 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].root, "/docker/ab12");
}

TEST(CgroupMounts, EscapesAreUndone) {
  const auto mounts = parse_cgroup_mounts("9 8 0:29 / /my\\040mnt/c\\134g ro - cgroup2 none rw\n");
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].point, "/my mnt/c\\g");
}

TEST(CgroupMounts, WhatIsCutOrRubbishIsLeftOut) {
  EXPECT_THAT(parse_cgroup_mounts(""), IsEmpty());
  EXPECT_THAT(parse_cgroup_mounts("9 8 0:29 / /cg ro - cgroup2 none rw"), IsEmpty());
  EXPECT_THAT(parse_cgroup_mounts("9 8 0:29 / /cg ro - cgroup2\n"), IsEmpty());
  EXPECT_THAT(parse_cgroup_mounts("9 8 0:29 / /cg ro cgroup2 none rw\n"), IsEmpty());
  EXPECT_THAT(parse_cgroup_mounts("9 8 0:29 / cg ro - cgroup2 none rw\n"), IsEmpty());
  EXPECT_THAT(parse_cgroup_mounts("9 8\n\n- - - - - - - cgroup\n"), IsEmpty());
}

}  // namespace
}  // namespace reveal::procfs
