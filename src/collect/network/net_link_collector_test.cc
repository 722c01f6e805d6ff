// Expected values are read off tests/hosts/dual-intel-2node by eye, or written by the test.
#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/sysfs_copy.h"

namespace reveal::collect {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const std::string kHost = "dual-intel-2node";

TEST(NetLink, ValuesOfTheFiles) {
  SysfsCopy host(kHost, find_collector("net_link")->make());
  ASSERT_TRUE(host.open());
  const auto values = host.tick();
  EXPECT_EQ(values.at("network_speed_bits_per_second{dev=ens1f0}"), 100e9);
  EXPECT_EQ(values.at("network_mtu_bytes{dev=ib0}"), 4092);
  EXPECT_EQ(values.at("network_operational_state{dev=ens1f0}"), 6);
  EXPECT_EQ(values.at("network_operational_state{dev=ens1f1}"), 2);
  EXPECT_FALSE(values.contains("network_speed_bits_per_second{dev=ens1f1}"));  // down
  EXPECT_EQ(values.at("network_receive_missed_total{dev=ens1f1}"), 200);
  EXPECT_EQ(values.at("network_receive_crc_errors_total{dev=ib0}"), 301);
  EXPECT_EQ(values.at("network_numa_node{dev=ens1f1}"), 1);
  EXPECT_EQ(values.at("network_receive_queues{dev=ens1f0}"), 4);
  EXPECT_EQ(values.at("network_rps_cpus{dev=ens1f0}"), 6);  // 0xf and 0x30
  EXPECT_EQ(values.at("network_xps_cpus{dev=ens1f0}"), 4);
  EXPECT_THAT(
      host.facts(),
      ::testing::IsSupersetOf({
          Pair("duplex of ens1f0", "full"),
          Pair("rps_cpus of ens1f0", "00000000,0000000f (2 queues), 00000000,00000030 (2 queues)"),
      }));
}

TEST(NetLink, UnknownSpeedsAreNoSpeeds) {
  for (const char* text : {"-1\n", "4294967295\n", "65535\n", "0\n", "Unknown!\n", ""}) {
    SysfsCopy host("", find_collector("net_link")->make());
    host.write("class/net/eth0/mtu", "1500\n");
    host.write("class/net/eth0/speed", text);
    ASSERT_TRUE(host.open());
    EXPECT_THAT(host.tick(), UnorderedElementsAre(Pair("network_mtu_bytes{dev=eth0}", 1500)))
        << text;
  }
}

TEST(NetLink, LinkThatGoesDownLosesItsSpeedAndSaysSo) {
  SysfsCopy host(kHost, find_collector("net_link")->make());
  ASSERT_TRUE(host.open());
  host.tick();
  host.write("class/net/ens1f0/speed", "-1\n");
  host.write("class/net/ens1f0/duplex", "unknown\n");
  host.write("class/net/ens1f0/operstate", "down\n");
  const auto values = host.tick();
  EXPECT_FALSE(values.contains("network_speed_bits_per_second{dev=ens1f0}"));
  EXPECT_EQ(values.at("network_operational_state{dev=ens1f0}"), 2);
  EXPECT_THAT(host.facts(), UnorderedElementsAre(Pair("duplex of ens1f0", "unknown")));
}

TEST(NetLink, InterfacesComeAndGoAndAdaptersComeFirst) {
  SysfsCopy host("", find_collector("net_link")->make());
  for (int i = 0; i < 100; ++i) {
    host.write("class/net/veth" + std::to_string(i) + "/mtu", "1500\n");
  }
  host.write("class/net/bonding_masters", "\n");
  host.write("class/net/lo/mtu", "65536\n");
  ASSERT_TRUE(host.open());
  EXPECT_EQ(host.tick().size(), 32u);
  host.write("class/net/zz0/mtu", "9000\n");
  host.write("class/net/zz0/device/numa_node", "1\n");
  const auto values = host.tick();
  EXPECT_EQ(values.size(), 34u);
  EXPECT_EQ(values.at("network_numa_node{dev=zz0}"), 1);
  host.remove("class/net/veth0");
  const auto after = host.tick();
  EXPECT_EQ(after.size(), 34u);  // one that had no place has its place
  EXPECT_FALSE(after.contains("network_mtu_bytes{dev=veth0}"));
}

TEST(NetLink, OnlyLoopbackIsNothing) {
  SysfsCopy host("", find_collector("net_link")->make());
  host.write("class/net/lo/mtu", "65536\n");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("no network interface but lo"));
}

}  // namespace
}  // namespace reveal::collect
