// Layouts of single programs: collectl, turbostat, pmrep, LDMS.
#include "exchange/known_layouts.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange/gathered_source.h"
#include "exchange/testing/gather_text.h"

namespace reveal::exchange {
namespace {

using test_texts::find_series;
using test_texts::gather_text;
using test_texts::values;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t kThen = 1700000000'000000000;  // 2023-11-14 22:13:20

std::string error_of(const std::string& text) {
  const auto got = gather_text(text, "x.txt");
  return got ? "none" : got.error().message();
}

constexpr const char* kCollectl =
    "################################################################################\n"
    "# Collectl:   V4.3.1-1  HiRes: 1  Options: -scdmnN -P\n"
    "# Host:       node7  DaemonOpts: \n"
    "# Date:       20231114-171320  Secs: 1700000000 TZ: -0500\n"
    "################################################################################\n"
    "#Date Time [CPU]User% [CPU]Ctx/sec [MEM]Used [MEM]PageIn [DSK]ReadKBTot [NET:eth0]Name "
    "[NET:eth0]RxPkt [CPU:1]Sys%\n"
    "20231114 17:13:20 1 281 100 7 4 eth0 5 9\n"
    "20231114 17:13:21 2 282 200 8 5 eth0 6 8\n";

TEST(Collectl, APlotFileSaysItsHostAndZone) {
  const auto got = gather_text(kCollectl, "x.txt");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->all().size(), 7U);
  EXPECT_THAT(values(*got, "CPU_User"), ElementsAre(1, 2));
  EXPECT_THAT(values(*got, "NET_RxPkt{dev=eth0}"), ElementsAre(5, 6));
  EXPECT_THAT(values(*got, "CPU_Sys{cpu=1}"), ElementsAre(9, 8));
  EXPECT_EQ(got->all()[0].times_ns[0], kThen);
  EXPECT_EQ(got->all()[0].host, "node7");
  EXPECT_EQ(find_series(*got, "CPU_User")->said.scale, 0.01);
  EXPECT_EQ(find_series(*got, "MEM_Used")->said.unit, "bytes");
  EXPECT_FALSE(find_series(*got, "MEM_PageIn")->said.unit);
  EXPECT_EQ(find_series(*got, "DSK_ReadKBTot")->said.unit, "bytes/s");
  EXPECT_EQ(find_series(*got, "DSK_ReadKBTot")->said.subsystem, model::Subsystem::kStorage);
  EXPECT_THAT(got->remarks(), IsEmpty());
}

TEST(Collectl, AZoneThatIsNoneIsNoZone) {
  for (const char* zone : {"-3000138674", "+1401", "1e300", "-nan"}) {
    std::string text = kCollectl;
    text.replace(text.find("-0500"), 5, zone);
    const auto got = gather_text(text, "x.txt");
    ASSERT_TRUE(got) << zone << got.error().message();
    EXPECT_EQ(got->all()[0].times_ns[0], kThen - 5 * 3600'000'000'000) << zone;
    EXPECT_THAT(got->remarks(), Contains(HasSubstr("without their zone"))) << zone;
  }
}

TEST(Collectl, ASeparatorAndEpochSeconds) {
  const auto got = gather_text(
      "waiting for 1 second sample...\n#UTC,[CPU]User%,[MEM]Used\n"
      "1700000000.25,1,2\n",
      "x.csv");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(got->all()[0].times_ns, ElementsAre(kThen + 250'000'000));
  const auto local = gather_text("#Date Time [CPU]User%\n20231114 22:13:20 1\n", "x.txt");
  ASSERT_TRUE(local) << local.error().message();
  EXPECT_THAT(local->remarks(), ElementsAre(HasSubstr("taken for UTC")));
  EXPECT_THAT(error_of("#Date Time [CPU]User%\n20231114 22:13:20 x\n"),
              HasSubstr("line 2: column [CPU]User%: \"x\" is not a number"));
  EXPECT_THAT(error_of("#Date Time [CPU]User%\n20231114 22:13:20\n"), HasSubstr("has 2 cells"));
}

constexpr const char* kTurbostat =
    "turbostat version 2023.11.07\n"
    "CPUID(0): GenuineIntel 0x16 CPUID levels\n"
    "Time_Of_Day_Seconds\tPackage\tCore\tCPU\tAvg_MHz\tBusy%\tIRQ\tC1%\tCoreTmp\tPkgTmp\tPkgWatt\n"
    "1700000000.500000\t-\t-\t-\t500\t25.00\t90\t1.5\t60\t61\t105.25\n"
    "1700000000.500000\t0\t0\t0\t400\t20.00\t40\t1.5\t55\t61\t50.25\n"
    "1700000000.500000\t0\t0\t2\t450\t22.00\t20\t1.5\n"
    "1700000000.500000\t1\t0\t1\t600\t30.00\t30\t1.5\t60\t60\t55.00\n"
    "Time_Of_Day_Seconds\tPackage\tCore\tCPU\tAvg_MHz\tBusy%\tIRQ\tC1%\tCoreTmp\tPkgTmp\tPkgWatt\n"
    "1700000001.500000\t-\t-\t-\t501\t26.00\t91\t1.5\t60\t61\t106.25\n";

TEST(Turbostat, EachValueIsOfItsPartOfTheMachine) {
  const auto got = gather_text(kTurbostat, "x.txt");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(values(*got, "cpu_unhalted_ratio"), ElementsAre(25, 26));
  EXPECT_THAT(values(*got, "cpu_unhalted_ratio{cpu=2}"), ElementsAre(22));
  EXPECT_THAT(values(*got, "cpu_core_temperature_celsius{package=0,core=0}"), ElementsAre(55));
  EXPECT_THAT(values(*got, "cpu_core_temperature_celsius{package=1,core=0}"), ElementsAre(60));
  EXPECT_THAT(values(*got, "cpu_package_power_watts{package=1}"), ElementsAre(55));
  EXPECT_THAT(values(*got, "cpu_package_power_watts"), ElementsAre(105.25, 106.25));
  EXPECT_THAT(values(*got, "cpu_C1{cpu=1}"), ElementsAre(1.5));
  EXPECT_EQ(find_series(*got, "cpu_C1{cpu=1}")->said.unit, "ratio");
  EXPECT_EQ(find_series(*got, "cpu_average_frequency_hertz")->said.scale, 1e6);
  EXPECT_EQ(got->all()[0].times_ns[0], kThen + 500'000'000);
}

TEST(Turbostat, WithoutTimesItIsRefused) {
  EXPECT_THAT(error_of("Core\tCPU\tAvg_MHz\tBusy%\n-\t-\t5\t1.0\n"), HasSubstr("has no times"));
  EXPECT_THAT(error_of("Core\tCPU\tAvg_MHz\tBusy%\n-\t-\t5\t1.0\n"),
              HasSubstr("--enable Time_Of_Day_Seconds"));
  EXPECT_THAT(error_of("Time_Of_Day_Seconds\tCPU\tAvg_MHz\tBusy%\n1700000000\t-\t5\tx\n"),
              HasSubstr("column Busy%: \"x\""));
}

TEST(Pmrep, RatesAreLevelsAndPressureHasItsName) {
  const std::string head =
      "Time,\"kernel.all.pressure.cpu.some.total\",\"kernel.all.load-1 minute\","
      "\"disk.dev.read_bytes-sda\",\"kernel.percpu.cpu.user-cpu3\"\n";
  auto got = gather_text(head +
                             "2023-11-14 22:13:20,,0.500,,\n"
                             "2023-11-14 22:13:21,950000.000,0.600,12.500,900.000\n"
                             "2023-11-14 22:13:22,9.000,0.700,N/A,800.000\n",
                         "x.csv");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(values(*got, "disk_dev_read_bytes{dev=sda}"), ElementsAre(12.5));
  EXPECT_THAT(values(*got, "kernel_percpu_cpu_user{cpu=3}"), ElementsAre(900, 800));
  EXPECT_THAT(values(*got, "kernel_all_load{instance=1 minute}"), ElementsAre(0.5, 0.6, 0.7));
  const auto source = GatheredSource::make(std::move(*got), {});
  ASSERT_TRUE(source) << source.error().message();
  const auto& pressure = source->channels().metric(model::MetricId(0));
  EXPECT_EQ(pressure.name, "cpu_pressure_some_seconds_total");
  EXPECT_EQ(pressure.kind, model::Kind::kGauge);
  EXPECT_EQ(pressure.unit, "ratio");
  EXPECT_EQ(pressure.scale, 1e-6);
}

TEST(Pmrep, RawCountersStayCounters) {
  auto got = gather_text(
      "Time,kernel.all.pressure.io.some.total\n2023-11-14 22:13:20,5\n"
      "2023-11-14 22:13:21,6\n2023-11-14 22:13:22,9\n",
      "x.csv");
  ASSERT_TRUE(got) << got.error().message();
  const auto source = GatheredSource::make(std::move(*got), {});
  ASSERT_TRUE(source) << source.error().message();
  const auto& pressure = source->channels().metric(model::MetricId(0));
  EXPECT_EQ(pressure.name, "storage_io_pressure_some_seconds_total");
  EXPECT_EQ(pressure.kind, model::Kind::kCounter);
  EXPECT_EQ(pressure.unit, "seconds");
}

TEST(Pmrep, ARowOfUnits) {
  const auto got = gather_text(
      "Time,disk.dev.read_bytes-sda,kernel.all.cpu.user\n"
      ",KB / s,ms / s\n2023-11-14 22:13:20,1.5,2.5\n",
      "x.csv");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->all()[0].said.unit, "bytes/s");
  EXPECT_EQ(got->all()[0].said.scale, 1024);
  EXPECT_EQ(got->all()[1].said.unit, "ratio");
  EXPECT_EQ(got->all()[1].said.scale, 1e-3);
  EXPECT_THAT(error_of("Time,mem.util.free\nnoon,2\n"), HasSubstr("\"noon\" is not a time"));
  EXPECT_THAT(error_of("Time,mem.util.free\n2023-11-14 22:13:20,x\n"),
              HasSubstr("column mem.util"));
}

TEST(Ldms, TheProducerIsTheHost) {
  const auto got = gather_text(
      "#Time,Time_usec,ProducerName,component_id,job_id,app_id,pgpgout,rx_bytes#eth0,user#cpu1\n"
      "1700000000.250000,250000,node7,7,0,0,5,6,7\n"
      "1700000000.250000,250000,node8,8,0,0,1,2,3\n",
      "x.csv");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->all().size(), 6U);
  EXPECT_THAT(values(*got, "rx_bytes{dev=eth0}"), ElementsAre(6));
  EXPECT_THAT(values(*got, "user{cpu=1}"), ElementsAre(7));
  EXPECT_EQ(got->all()[0].host, "node7");
  EXPECT_EQ(got->all()[3].host, "node8");
  EXPECT_THAT(got->all()[0].times_ns, ElementsAre(kThen + 250'000'000));
  EXPECT_THAT(error_of("#Time,ProducerName,a\n1700000000,n\n"), HasSubstr("line 2: has 2 cells"));
}

}  // namespace
}  // namespace reveal::exchange
