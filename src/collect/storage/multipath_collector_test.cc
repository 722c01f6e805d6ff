#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

constexpr const char* kPaths = "storage_multipath_paths{dev=dm-2,map=mpathb}";
constexpr const char* kFailed = "storage_multipath_failed_paths{dev=dm-2,map=mpathb}";

class Multipath : public ::testing::Test {
 protected:
  Multipath() {
    host_.write("sys/block/dm-2/dm/name", "mpathb\n");
    host_.write("sys/block/dm-2/dm/uuid", "mpath-3600\n");
    host_.write("sys/block/dm-2/dm/suspended", "0\n");
    state("sda", "running\n");
    state("nvme0n1", "live\n");
  }
  void state(const std::string& disk, const std::string& text) const {
    host_.write("sys/block/dm-2/slaves/" + disk + "/device/state", text);
  }
  TestHost host_{*find_collector("multipath")};
};

TEST_F(Multipath, PathsThatDoNotWorkAreCounted) {
  ASSERT_TRUE(host_.open());
  host_.tick();
  EXPECT_EQ(host_.value(kPaths), 2);
  EXPECT_EQ(host_.value(kFailed), 0);
  state("sda", "transport-offline\n");
  state("nvme0n1", "connecting\n");
  host_.tick();
  EXPECT_EQ(host_.value(kPaths), 2);
  EXPECT_EQ(host_.value(kFailed), 2);
}

TEST_F(Multipath, APathOfUnknownStateLeavesTheCountOut) {
  ASSERT_TRUE(host_.open());
  state("sda", "runn");
  host_.tick();
  EXPECT_EQ(host_.value(kPaths), 2);
  EXPECT_FALSE(host_.value(kFailed));
}

TEST_F(Multipath, OtherMapsOfTheDeviceMapperAreLeftOut) {
  host_.write("sys/block/dm-0/dm/name", "vg-root\n");
  host_.write("sys/block/dm-0/dm/uuid", "LVM-3600\n");
  host_.write("sys/block/dm-0/slaves/sdz/device/state", "running\n");
  ASSERT_TRUE(host_.open());
  host_.tick();
  EXPECT_EQ(host_.channels(), 3u);
}

TEST_F(Multipath, ASuspendedDiskIsTold) {
  ASSERT_TRUE(host_.open());
  host_.write("sys/block/dm-2/dm/suspended", "1\n");
  host_.tick();
  EXPECT_EQ(host_.value("storage_multipath_suspended_flag{dev=dm-2,map=mpathb}"), 1);
}

}  // namespace
}  // namespace reveal::collect
