#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

class Bonding : public ::testing::Test {
 protected:
  Bonding() {
    host_.write("sys/class/net/bond0/bonding/mii_status", "up\n");
    host_.write("sys/class/net/bond0/bonding/slaves", "eth0 eth1\n");
    member("eth0", "up");
    member("eth1", "up");
  }
  void member(const std::string& name, const std::string& link) const {
    const std::string folder = "sys/class/net/" + name + "/bonding_slave/";
    host_.write(folder + "mii_status", link + "\n");
    host_.write(folder + "state", "active\n");
    host_.write(folder + "link_failure_count", "0\n");
  }
  TestHost host_{*find_collector("bonding")};
};

TEST_F(Bonding, AMemberThatLosesItsLinkIsDown) {
  ASSERT_TRUE(host_.open());
  host_.tick();
  EXPECT_EQ(host_.value("network_bond_members{dev=bond0}"), 2);
  EXPECT_EQ(host_.value("network_bond_down_members{dev=bond0}"), 0);
  member("eth1", "down");
  host_.write("sys/class/net/eth1/bonding_slave/link_failure_count", "1\n");
  host_.tick();
  EXPECT_EQ(host_.value("network_bond_down_members{dev=bond0}"), 1);
  EXPECT_EQ(host_.value("network_bond_member_up_flag{dev=eth1}"), 0);
  EXPECT_EQ(host_.value("network_bond_member_link_failures_total{dev=eth1}"), 1);
  EXPECT_EQ(host_.value("network_bond_up_flag{dev=bond0}"), 1);
  member("eth1", "going back");
  host_.tick();
  EXPECT_EQ(host_.value("network_bond_down_members{dev=bond0}"), 1);
}

TEST_F(Bonding, MembersComeAndGo) {
  ASSERT_TRUE(host_.open());
  member("eth2", "up");
  host_.write("sys/class/net/bond0/bonding/slaves", "eth0 eth1 eth2\n");
  host_.tick();
  EXPECT_EQ(host_.value("network_bond_members{dev=bond0}"), 3);
  EXPECT_EQ(host_.value("network_bond_member_up_flag{dev=eth2}"), 1);
  host_.write("sys/class/net/bond0/bonding/slaves", "eth0\n");
  host_.tick();
  EXPECT_EQ(host_.value("network_bond_members{dev=bond0}"), 1);
  EXPECT_FALSE(host_.value("network_bond_member_up_flag{dev=eth2}"));
}

TEST_F(Bonding, ABondWithoutMembersHasNone) {
  host_.write("sys/class/net/bond0/bonding/slaves", "\n");
  host_.write("sys/class/net/bond0/bonding/mii_status", "down\n");
  ASSERT_TRUE(host_.open());
  host_.tick();
  EXPECT_EQ(host_.value("network_bond_members{dev=bond0}"), 0);
  EXPECT_EQ(host_.value("network_bond_up_flag{dev=bond0}"), 0);
}

TEST_F(Bonding, AMemberOfUnknownStateLeavesTheCountOut) {
  ASSERT_TRUE(host_.open());
  member("eth1", "sideways");
  host_.tick();
  EXPECT_EQ(host_.value("network_bond_members{dev=bond0}"), 2);
  EXPECT_FALSE(host_.value("network_bond_down_members{dev=bond0}"));
}

// Names come from the kernel, but one that is no name must not lead out of the folder.
TEST_F(Bonding, NoNameLeadsElsewhere) {
  host_.write("sys/class/net/bond0/bonding/slaves", "../bond0 eth0\n");
  ASSERT_TRUE(host_.open());
  host_.tick();
  EXPECT_FALSE(host_.value("network_bond_members{dev=bond0}"));
}

// A member that leaves between two readings takes its files along.
TEST_F(Bonding, AMemberWithoutFilesLeavesTheCountsOut) {
  ASSERT_TRUE(host_.open());
  host_.remove("sys/class/net/eth1");
  host_.tick();
  EXPECT_FALSE(host_.value("network_bond_members{dev=bond0}"));
  EXPECT_EQ(host_.value("network_bond_member_up_flag{dev=eth0}"), 1);
}

TEST(BondingCollector, AHostWithoutABondIsToldSo) {
  TestHost host(*find_collector("bonding"));
  host.make_folder("sys/class/net/eth0");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().what, "no interface is a bond");
}

}  // namespace
}  // namespace reveal::collect
