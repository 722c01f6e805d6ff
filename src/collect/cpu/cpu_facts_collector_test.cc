#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/told_facts.h"

namespace reveal::collect {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using CpuFacts = ToldFacts;

TEST_F(CpuFacts, OfTheProcessors) {
  open(find_collector("cpu_facts")->make());
  const Facts first = news();
  EXPECT_EQ(first.at("processor model"), "Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz");
  EXPECT_EQ(first.at("microcode"), "0x5003303");
  EXPECT_EQ(first.at("frequency governor"), "performance on 0-2,4; powersave on 5-7");
  EXPECT_EQ(first.at("frequency driver"), "intel_pstate");
  EXPECT_EQ(first.at("vulnerability meltdown"), "Mitigation: PTI");
  EXPECT_EQ(first.at("simultaneous multithreading"), "on");
  EXPECT_EQ(first.at("clock source"), "tsc");
  EXPECT_EQ(first.at("isolated cores"), "6-7");
  EXPECT_EQ(value("cpu_microcode_revision"), 0x5003303u);
  EXPECT_EQ(value("cpu_performance_governor_policies"), 4u);
  EXPECT_EQ(value("cpu_open_vulnerabilities"), 2u);
  EXPECT_EQ(value("cpu_mitigated_vulnerabilities"), 3u);
  EXPECT_EQ(value("cpu_isolated_cores"), 2u);
  EXPECT_EQ(value("cpu_smt_active"), 1u);
  EXPECT_THAT(news(), IsEmpty());
}

TEST_F(CpuFacts, OfRiscvProcessors) {
  write("proc/cpuinfo",
        "processor\t: 0\nhart\t\t: 2\nisa\t\t: rv64imafdc_zba_zbb\nmmu\t\t: sv39\n"
        "uarch\t\t: sifive,u74-mc\nmvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\n"
        "mimpid\t\t: 0x4210427\n\n");
  open(find_collector("cpu_facts")->make());
  const Facts first = news();
  EXPECT_EQ(first.at("processor model"),
            "sifive,u74-mc mvendorid 0x489 marchid 0x8000000000000007 mimpid 0x4210427");
  EXPECT_EQ(first.at("instruction set"), "rv64imafdc_zba_zbb");
  EXPECT_FALSE(first.contains("microcode"));
  EXPECT_EQ(value("cpu_microcode_revision"), std::nullopt);
}

TEST_F(CpuFacts, AreToldAgainWhenTheyChangeAndEndWithTheirFile) {
  open(find_collector("cpu_facts")->make());
  news();
  write("sys/devices/system/cpu/cpufreq/policy4/scaling_governor", "powersave\n");
  EXPECT_THAT(news(),
              ElementsAre(Pair("frequency governor", "performance on 0-2; powersave on 4-7")));
  EXPECT_EQ(value("cpu_performance_governor_policies"), 3u);
  remove("sys/devices/system/clocksource/clocksource0/current_clocksource");
  EXPECT_THAT(news(), ElementsAre(Pair("clock source", "")));
  EXPECT_THAT(news(), IsEmpty());
  write("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
  EXPECT_THAT(news(), ElementsAre(Pair("clock source", "hpet")));
}

}  // namespace
}  // namespace reveal::collect
