#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

class Raid : public ::testing::Test {
 protected:
  Raid() { sync("idle", "none", "none"); }
  void sync(const std::string& action, const std::string& speed, const std::string& done) const {
    const std::string folder = "sys/block/md127/md/";
    host_.write(folder + "sync_action", action + "\n");
    host_.write(folder + "sync_speed", speed + "\n");
    host_.write(folder + "sync_completed", done + "\n");
  }
  TestHost host_{*find_collector("raid")};
};

TEST_F(Raid, AnIdleArrayIsNotSynchronized) {
  ASSERT_TRUE(host_.open());
  host_.tick();
  EXPECT_EQ(host_.value("storage_raid_sync_active_flag{dev=md127}"), 0);
  EXPECT_EQ(host_.value("storage_raid_sync_action{dev=md127}"), 0);
  EXPECT_EQ(host_.value("storage_raid_sync_bytes_per_second{dev=md127}"), 0);
  EXPECT_FALSE(host_.value("storage_raid_sync_done_ratio{dev=md127}"));
}

TEST_F(Raid, SpeedAndProgressOfARebuild) {
  ASSERT_TRUE(host_.open());
  sync("recover", "200", "250 / 1000");
  host_.tick();
  EXPECT_EQ(host_.value("storage_raid_sync_active_flag{dev=md127}"), 1);
  EXPECT_EQ(host_.value("storage_raid_sync_action{dev=md127}"), 2);
  EXPECT_EQ(host_.value("storage_raid_sync_bytes_per_second{dev=md127}"), 200 * 1024);
  EXPECT_EQ(host_.value("storage_raid_sync_done_ratio{dev=md127}"), 0.25);
}

TEST_F(Raid, ASynchronizationThatWaitsHasNoProgress) {
  ASSERT_TRUE(host_.open());
  for (const char* done : {"delayed", "pending", "7 / 0", "8 / 7", "7 /", "7 of 9", ""}) {
    sync("resync", "none", done);
    host_.tick();
    EXPECT_FALSE(host_.value("storage_raid_sync_done_ratio{dev=md127}")) << done;
  }
}

TEST_F(Raid, FrozenIsNotActiveAndAnUnknownWordSaysNothing) {
  ASSERT_TRUE(host_.open());
  sync("frozen", "none", "none");
  host_.tick();
  EXPECT_EQ(host_.value("storage_raid_sync_active_flag{dev=md127}"), 0);
  sync("polish", "none", "none");
  host_.tick();
  EXPECT_FALSE(host_.value("storage_raid_sync_active_flag{dev=md127}"));
  EXPECT_FALSE(host_.value("storage_raid_sync_action{dev=md127}"));
}

// Arrays without redundancy (raid0, linear) have none of these files.
TEST(RaidCollector, AnArrayWithoutRedundancyHasNothingToSay) {
  TestHost host(*find_collector("raid"));
  host.write("sys/block/md0/md/level", "raid0\n");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

}  // namespace
}  // namespace reveal::collect
