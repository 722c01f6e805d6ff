#include <string>

#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

void write_zone(TestHost& host, const std::string& zone, const std::string& name,
                const std::string& microjoules) {
  const std::string folder = "sys/class/powercap/" + zone;
  host.write(folder + "/name", name + "\n");
  host.write(folder + "/energy_uj", microjoules + "\n");
  host.write(folder + "/max_energy_range_uj", "262143328850\n");
}

// A board with two packages has two platform domains; some firmware numbers no package.
TEST(Rapl, TwoDomainsOfOneNameAreTwo) {
  TestHost host(*find_collector("rapl"));
  write_zone(host, "intel-rapl:0", "package-0", "1000000");
  write_zone(host, "intel-rapl:0:0", "dram", "2000000");
  write_zone(host, "intel-rapl:1", "psys", "3000000");
  write_zone(host, "intel-rapl:2", "package-0", "4000000");
  write_zone(host, "intel-rapl:2:0", "dram", "5000000");
  write_zone(host, "intel-rapl:3", "psys", "6000000");
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.value("cpu_powercap_package_joules_total{package=0}"), 1);
  EXPECT_EQ(host.value("cpu_powercap_package_joules_total{package=0#2}"), 4);
  EXPECT_EQ(host.value("memory_powercap_dram_joules_total{package=0}"), 2);
  EXPECT_EQ(host.value("memory_powercap_dram_joules_total{package=0#2}"), 5);
  EXPECT_EQ(host.value("cpu_powercap_platform_joules_total{domain=psys}"), 3);
  EXPECT_EQ(host.value("cpu_powercap_platform_joules_total{domain=psys#2}"), 6);
}

// Energy that is set back by less than the counter's range is no wrap.
TEST(Rapl, ASetBackIsNoPower) {
  TestHost host(*find_collector("rapl"));
  write_zone(host, "intel-rapl:0", "package-0", "200000000000");
  ASSERT_TRUE(host.open());
  host.tick();
  const auto before = host.value("cpu_powercap_package_joules_total{package=0}");
  write_zone(host, "intel-rapl:0", "package-0", "199900000000");
  host.tick();
  const auto after = host.value("cpu_powercap_package_joules_total{package=0}");
  ASSERT_TRUE(before && after);
  EXPECT_LT(*after - *before, 1000);
}

}  // namespace
}  // namespace reveal::collect
