// Expected values are read off tests/hosts/dual-intel-2node by eye.
#include <gmock/gmock.h>

#include "collect/infiniband/infiniband_metrics.h"
#include "collect/registry.h"
#include "collect/testing/sysfs_copy.h"

namespace reveal::collect {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const std::string kHost = "dual-intel-2node";
const std::string kPort0 = "class/infiniband/mlx5_0/ports/1/";

TEST(InfinibandRows, StateIsTheLeadingNumber) {
  EXPECT_EQ(leading_number("4: ACTIVE"), AttributeValue(std::uint64_t{4}));
  for (const char* line : {"", "ACTIVE", ": 4", "-1: x", "4 : x"}) {
    EXPECT_EQ(leading_number(line), AttributeValue()) << line;
  }
}

TEST(InfinibandRows, RateIsInGigabits) {
  EXPECT_EQ(port_rate("100 Gb/sec (4X EDR)"), AttributeValue(100e9));
  EXPECT_EQ(port_rate("2.5 Gb/sec (1X SDR)"), AttributeValue(2.5e9));
  for (const char* line : {"", "100", "x Gb/sec", "nan Gb/sec", "inf Gb/sec", "-1 Gb/sec",
                           "1e9 Gb/sec", "10 Mb/sec"}) {
    EXPECT_EQ(port_rate(line), AttributeValue()) << line;
  }
}

TEST(Infiniband, DataIsInWordsOfFourBytes) {
  SysfsCopy host(kHost, find_collector("infiniband_traffic")->make());
  ASSERT_TRUE(host.open());
  const auto values = host.tick();
  EXPECT_EQ(values.at("network_infiniband_sent_bytes_total{dev=mlx5_0,port=1}"), 1e10);
  EXPECT_EQ(values.at("network_infiniband_sent_bytes_total{dev=mlx5_1,port=1}"), 2e10);
  EXPECT_EQ(values.size(), 4u);
}

TEST(Infiniband, PortsAndTheirFacts) {
  SysfsCopy host(kHost, find_collector("infiniband_ports")->make());
  ASSERT_TRUE(host.open());
  const auto values = host.tick();
  EXPECT_EQ(values.at("network_infiniband_port_state{dev=mlx5_0,port=1}"), 4);
  EXPECT_EQ(values.at("network_infiniband_rate_bits_per_second{dev=mlx5_0,port=1}"), 200e9);
  EXPECT_THAT(
      host.facts(),
      UnorderedElementsAre(
          Pair("link layer of mlx5_0 port 1", "InfiniBand"),
          Pair("link layer of mlx5_1 port 1", "Ethernet"),
          Pair("interface of mlx5_0 port 1", "ib0"), Pair("interface of mlx5_1 port 1", "ens1f0"),
          Pair("link rate of mlx5_0 port 1", "200 Gb/sec (4X HDR)"),
          Pair("link rate of mlx5_1 port 1", "100 Gb/sec (4X EDR)"),
          Pair("firmware of mlx5_0", "20.31.1014"), Pair("firmware of mlx5_1", "20.31.1014"),
          Pair("board of mlx5_0", "MT_0000000223"), Pair("board of mlx5_1", "MT_0000000359")));
  host.tick();
  EXPECT_THAT(host.facts(), IsEmpty()) << "said again without a change";
  host.write(kPort0 + "rate", "100 Gb/sec (4X EDR)\n");
  host.tick();
  EXPECT_THAT(host.facts(),
              UnorderedElementsAre(Pair("link rate of mlx5_0 port 1", "100 Gb/sec (4X EDR)")));
}

TEST(Infiniband, InterfacesAreThoseOfTheirPorts) {
  SysfsCopy host(kHost, find_collector("infiniband_ports")->make());
  const std::string adapter = "class/infiniband/mlx5_0/";
  // A partition's interface, which is not the port's own, and one of another port.
  host.write(adapter + "device/net/ib0.8001/dev_port", "0\n");
  host.write(adapter + "device/net/ia9/dev_port", "1\n");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_THAT(host.facts(), Contains(Pair("interface of mlx5_0 port 1", "ib0")));
  host.write("class/infiniband/mlx5_1/ports/1/gid_attrs/ndevs/0", "bond0\n");
  host.write(adapter + "device/net/ib0/dev_port", "1\n");
  host.write(adapter + "device/net/ib0.8001/dev_port", "1\n");
  host.tick();
  EXPECT_THAT(host.facts(), UnorderedElementsAre(Pair("interface of mlx5_1 port 1", "bond0"),
                                                 Pair("interface of mlx5_0 port 1", "")));
}

TEST(Infiniband, PortWithoutPerformanceManagementCostsItsOwnChannels) {
  SysfsCopy host(kHost, find_collector("infiniband_traffic")->make());
  for (const char* file : {"port_rcv_data", "port_xmit_data"}) {
    host.write(kPort0 + "counters/" + file, "N/A (no PMA)\n");
  }
  ASSERT_TRUE(host.open());
  EXPECT_EQ(host.tick().size(), 2u);  // of the other adapter
  host.remove("class/infiniband/mlx5_1");
  SysfsCopy alone("", find_collector("infiniband_traffic")->make());
  alone.write(kPort0 + "counters/port_rcv_data", "N/A (no PMA)\n");
  const auto opened = alone.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(opened.error().message(), HasSubstr("says \"N/A (no PMA)\""));
}

TEST(Infiniband, SaysWhyAMetricIsMissing) {
  SysfsCopy host(kHost, find_collector("infiniband_hw_counters")->make());
  host.remove(kPort0 + "hw_counters/np_cnp_sent");
  host.remove("class/infiniband/mlx5_1");
  ASSERT_TRUE(host.open());
  for (const auto& metric : find_collector("infiniband_hw_counters")->metrics()) {
    if (metric.alias != "np_cnp_sent") continue;
    EXPECT_THAT(host.collector().why_absent(metric).message(),
                HasSubstr("hw_counters/np_cnp_sent: No such file"));
  }
}

TEST(Infiniband, AdapterThatGoesAndComesKeepsItsChannels) {
  SysfsCopy host(kHost, find_collector("infiniband_counters")->make());
  ASSERT_TRUE(host.open());
  const auto before = host.tick();
  EXPECT_EQ(before.at("network_infiniband_link_failures_total{dev=mlx5_1,port=1}"), 2014);
  host.move("class/infiniband/mlx5_1", "away");
  EXPECT_EQ(host.tick().size(), before.size() / 2);
  host.move("away", "class/infiniband/mlx5_1");
  EXPECT_EQ(host.tick(), before);
  host.write("class/infiniband/mlx5_2/ports/1/counters/link_downed", "5\n");
  EXPECT_EQ(host.tick().at("network_infiniband_link_failures_total{dev=mlx5_2,port=1}"), 5);
}

TEST(Infiniband, NumberOfPortsIsBounded) {
  SysfsCopy host("", find_collector("infiniband_counters")->make());
  for (int port = 1; port <= 100; ++port) {
    host.write("class/infiniband/x/ports/" + std::to_string(port) + "/counters/link_downed", "1\n");
  }
  ASSERT_TRUE(host.open());
  EXPECT_EQ(host.tick().size(), 64u);
}

}  // namespace
}  // namespace reveal::collect
