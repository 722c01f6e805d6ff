// sadf -d, sadf -j and both forms of iostat: the same column is the same channel.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange/gathered_source.h"
#include "exchange/sysstat_columns.h"
#include "exchange/sysstat_json.h"
#include "exchange/sysstat_samples.h"
#include "exchange/testing/gather_text.h"

namespace reveal::exchange {
namespace {

using test_texts::find_series;
using test_texts::gather_text;
using test_texts::values;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000;

base::Result<Gathering> gather_json_text(std::string text) {
  Gathering out;
  auto done = gather_sysstat_json(TextInput::from_memory(std::move(text), "sar.json"), {}, out);
  if (!done) return base::pass(done);
  return out;
}

std::string document(const std::string& statistics, const std::string& more = "") {
  return R"({"sysstat": {"hosts": [{"nodename": "node7", "timezone": "CET", "statistics": [)" +
         statistics + "]" + more + "}]}}";
}

constexpr const char* kJson = R"(
{"timestamp": {"date": "2023-11-14", "time": "22:13:20", "utc": 1, "interval": 1},
 "cpu-load": [{"cpu": "all", "usr": 7.50, "steal": 1.00}, {"cpu": "1", "usr": 9.00, "steal": 2.00}],
 "io": {"tps": 3.00, "io-reads": {"rtps": 1.00, "bread": 8.00}},
 "memory": {"memfree": 1000, "memused-percent": 18.73, "swpused": 4},
 "disk": [{"disk-device": "sda", "tps": 2.00, "rd_sec": 2.00, "rkB": 1.00, "avgqu-sz": 0.5,
           "aqu-sz": 0.25, "util-percent": 40.00}],
 "network": {"net-dev": [{"iface": "eth0", "rxpck": 5.00, "ifutil-percent": 1.00}],
             "net-sock": {"totsck": 16}},
 "interrupts": [{"intr": "sum", "all": 6.00, "CPU0": 4.00, "CPU1": 2.00}],
 "psi": {"psi-cpu": {"some_avg10": 3.00, "some_avg": 2.00}}})";

constexpr const char* kCsv =
    "# hostname;interval;timestamp;CPU;%usr;%steal\n"
    "node7;1;2023-11-14 22:13:20 UTC;-1;7.50;1.00\n"
    "node7;1;2023-11-14 22:13:20 UTC;1;9.00;2.00\n"
    "node7;-1;2023-11-14 22:13:25 UTC;LINUX-RESTART\t(2 CPU)\n"
    "# hostname;interval;timestamp;tps;rtps;bread/s\n"
    "node7;1;2023-11-14 22:13:20 UTC;3.00;1.00;8.00\n"
    "# hostname;interval;timestamp;kbmemfree;%memused\n"
    "node7;1;2023-11-14 22:13:20 UTC;1000;18.73\n"
    "# hostname;interval;timestamp;kbswpfree;kbswpused\n"
    "node7;1;2023-11-14 22:13:20 UTC;;4\n"
    "# hostname;interval;timestamp;DEV;tps;rkB/s;aqu-sz;%util\n"
    "node7;1;2023-11-14 22:13:20 UTC;sda;2.00;1.00;0.25;40.00\n"
    "# hostname;interval;timestamp;IFACE;rxpck/s;%ifutil\n"
    "node7;1;2023-11-14 22:13:20 UTC;eth0;5.00;1.00\n"
    "# hostname;interval;timestamp;totsck\n"
    "node7;1;2023-11-14 22:13:20 UTC;16\n"
    "# hostname;interval;timestamp;INTR;CPU*\n"
    "node7;1;2023-11-14 22:13:20 UTC;sum;6.00;4.00;2.00\n"
    "# hostname;interval;timestamp;%scpu-10;%scpu\n"
    "node7;1;2023-11-14 22:13:20 UTC;3.00;2.00\n";

TEST(Sysstat, BothFormsOfSadfGiveTheSameChannels) {
  const auto json = gather_json_text(document(kJson, R"(, "restarts": [{"boot": {}}])"));
  ASSERT_TRUE(json) << json.error().message();
  const auto csv = gather_text(kCsv, "sar.csv");
  ASSERT_TRUE(csv) << csv.error().message();
  for (const Gathering* all : {&*json, &*csv}) {
    EXPECT_EQ(all->all().size(), 20U);
    for (const auto& [name, value] : {std::pair<const char*, double>{"cpu_user_percent", 7.5},
                                      {"cpu_user_percent{cpu=1}", 9},
                                      {"cpu_steal_ratio{cpu=1}", 2},
                                      {"storage_transfers_rate", 3},
                                      {"storage_read_sectors_rate", 8},
                                      {"memory_free_bytes", 1000},
                                      {"memory_used_ratio", 18.73},
                                      {"memory_swap_used_bytes", 4},
                                      {"storage_read_rate{dev=sda}", 1},
                                      {"storage_queue_depth{dev=sda}", 0.25},
                                      {"storage_busy_ratio{dev=sda}", 40},
                                      {"network_received_packets_rate{dev=eth0}", 5},
                                      {"network_used_sockets", 16},
                                      {"cpu_interrupts_rate{intr=sum}", 6},
                                      {"cpu_pressure_some_seconds_total", 2}}) {
      EXPECT_THAT(values(*all, name), ElementsAre(value)) << name;
    }
    EXPECT_EQ(all->all()[0].host, "node7");
    EXPECT_THAT(all->all()[0].times_ns, ElementsAre(1700000000 * kSecond));
  }
  EXPECT_THAT(json->remarks(), ElementsAre(HasSubstr("started again 1 times")));
  EXPECT_THAT(csv->remarks(), Contains(HasSubstr("line 4")));
  EXPECT_THAT(csv->remarks(), Contains(HasSubstr("single processors")));
}

TEST(Sysstat, UnitsAreBaseUnitsAndAllAreLevels) {
  const std::string later = "node7;1;2023-11-14 22:13:21 UTC;";
  auto csv = gather_text(std::string("# hostname;interval;timestamp;kbmemfree;%memused\n") +
                             "node7;1;2023-11-14 22:13:20 UTC;1;2\n" + later + "2;3\n" +
                             "node7;1;2023-11-14 22:13:22 UTC;3;4\n" +
                             "node7;1;2023-11-14 22:13:23 UTC;4;5\n",
                         "sar.csv");
  ASSERT_TRUE(csv) << csv.error().message();
  const auto source = GatheredSource::make(std::move(*csv), {});
  ASSERT_TRUE(source) << source.error().message();
  const auto& memory = source->channels().metric(model::MetricId(0));
  EXPECT_EQ(memory.unit, "bytes");
  EXPECT_EQ(memory.scale, 1024);
  EXPECT_EQ(memory.kind, model::Kind::kGauge);
  EXPECT_EQ(memory.subsystem, model::Subsystem::kMemory);
  EXPECT_EQ(source->channels().metric(model::MetricId(1)).scale, 0.01);
  EXPECT_EQ(source->facts().host, "node7");
}

TEST(Sysstat, AColumnWithoutARowIsNamedByItsReport) {
  for (const auto& report : sysstat_reports()) {
    const auto column = sysstat_column(report, "new/s");
    ASSERT_TRUE(column);
    EXPECT_EQ(column->metric, std::string(report.prefix) + "_new_rate");
  }
}

TEST(Sysstat, WhatIsWrongIsNamed) {
  const auto error = [](const std::string& text) {
    const auto got = gather_text(text, "sar.csv");
    return got ? "none" : got.error().message();
  };
  const std::string head = "# hostname;interval;timestamp;runq-sz;blocked\n";
  EXPECT_THAT(error(head + "h;1;1700000000;1\n"), HasSubstr("sar.csv, line 2: has 4 cells"));
  EXPECT_THAT(error(head + "h;1;1700000000;1;x\n"), HasSubstr("column blocked: \"x\""));
  EXPECT_THAT(error(head + "h;1;noon;1;2\n"), HasSubstr("\"noon\" is not a time"));
  EXPECT_THAT(error("# hostname;interval;timestamp;DEV;tps;%util[...]\nh;1;1700000000;sda;1;2\n"),
              HasSubstr("without -h"));
  const auto json = [](const std::string& text) {
    const auto got = gather_json_text(text);
    return got ? "none" : got.error().message();
  };
  EXPECT_THAT(json(document("")), HasSubstr("has no statistics"));
  EXPECT_THAT(json(document(R"({"queue": {"blocked": 1}})")),
              HasSubstr("statistics 1: has no time"));
  EXPECT_THAT(json(document(R"({"timestamp": "2023-11-14 22:13:20", "queue": {}},
                               {"timestamp": "2023-11-14 22:13:21", "queue": {"blocked": "x"}})")),
              HasSubstr("statistics 2: blocked: \"x\" is not a number"));
  EXPECT_THAT(json(R"({"sysstat": {"hosts": [)"), HasSubstr("sar.json, byte"));
}

TEST(Sysstat, AFileThatIsCutOffKeepsWhatCameBefore) {
  const auto got = gather_json_text(R"({"sysstat": {"hosts": [{"nodename": "n", "statistics": [)" +
                                    std::string(kJson) + ", {");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(values(*got, "storage_transfers_rate"), ElementsAre(3));
  EXPECT_THAT(got->remarks(), Contains(HasSubstr("cut off")));
}

TEST(Sysstat, LocalTimesAreTold) {
  const auto json = gather_json_text(document(
      R"({"timestamp": {"date": "2023-11-14", "time": "22:13:20", "utc": 0}, "queue": {"blocked": 1}})"));
  ASSERT_TRUE(json) << json.error().message();
  EXPECT_THAT(json->remarks(), ElementsAre(HasSubstr("of the zone CET")));
  const auto csv = gather_text(
      "# hostname;interval;timestamp;runq-sz;blocked\n"
      "h;1;2023-11-14 22:13:20;1;2\n",
      "sar.csv");
  ASSERT_TRUE(csv) << csv.error().message();
  EXPECT_THAT(csv->remarks(), ElementsAre(HasSubstr("taken for UTC")));
}

constexpr const char* kIostat =
    "Linux 6.18.4 (node7) \t11/14/23 \t_x86_64_\t(2 CPU)\n\n"
    "11/14/23 22:13:19\n"
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "          53.16   25.62    7.48    0.40    0.98   12.37\n\n"
    "Device            r/s     rkB/s r_await  aqu-sz  %util\n"
    "vda            100.43   1661.10    0.67    0.13   3.32\n\n\n"
    "11/14/23 22:13:20\n"
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "          50.50   47.03    2.48    0.00    4.00    0.00\n\n"
    "Device            r/s     rkB/s r_await  aqu-sz  %util\n"
    "vda              1.00      2.00    3.00    0.50  60.00\n"
    "vdb              0.00      0.00    0.00    0.00   0.00\n";

TEST(Iostat, BothFormsGiveTheSameChannels) {
  const auto text = gather_text(kIostat, "iostat.txt");
  ASSERT_TRUE(text) << text.error().message();
  const auto json = gather_json_text(document(R"(
    {"timestamp": "11/14/23 22:13:19", "avg-cpu": {"user": 1.0}, "disk": []},
    {"timestamp": "11/14/23 22:13:20", "avg-cpu": {"user": 50.50, "steal": 4.0},
     "disk": [{"disk_device": "vda", "r/s": 1.00, "rkB/s": 2.0, "r_await": 3.00, "aqu-sz": 0.5,
               "util": 60.00}]})"));
  ASSERT_TRUE(json) << json.error().message();
  for (const Gathering* all : {&*text, &*json}) {
    for (const auto& [name, value] : {std::pair<const char*, double>{"cpu_user_percent", 50.5},
                                      {"cpu_steal_ratio", 4},
                                      {"storage_reads_rate{dev=vda}", 1},
                                      {"storage_read_rate{dev=vda}", 2},
                                      {"storage_read_latency_seconds{dev=vda}", 3},
                                      {"storage_queue_depth{dev=vda}", 0.5},
                                      {"storage_busy_ratio{dev=vda}", 60}}) {
      EXPECT_THAT(values(*all, name), ElementsAre(value)) << name;
      EXPECT_THAT(find_series(*all, name)->times_ns, ElementsAre(1700000000 * kSecond));
    }
    EXPECT_THAT(all->remarks(), Contains(HasSubstr("mean since the boot")));
    EXPECT_THAT(all->remarks(), Contains(HasSubstr("month first")));
    EXPECT_EQ(all->all()[0].host, "node7");
  }
  EXPECT_THAT(values(*text, "storage_busy_ratio{dev=vdb}"), ElementsAre(0));
}

TEST(Iostat, WithoutTimesOrForPeopleItIsRefused) {
  const auto error = [](const std::string& text) {
    const auto got = gather_text(text, "iostat.txt");
    return got ? "none" : got.error().message();
  };
  const std::string host = "Linux 6.18.4 (node7) \t11/14/23 \t_x86_64_\t(2 CPU)\n\n";
  EXPECT_THAT(error(host + "Device tps\nvda 1.0\n"), HasSubstr("iostat.txt, line 3: has no times"));
  EXPECT_THAT(error(host + "Device tps\nvda 1.0\n"), HasSubstr("iostat -xt"));
  const std::string time = "11/14/23 22:13:19\nDevice r/s\n";
  EXPECT_THAT(error(host + time + "vda 1\nvdb 2 3\n"), HasSubstr("line 6: has 3 words"));
  EXPECT_THAT(error(host + time + "vda 1\n" + time + "vda 1.2k\n"), HasSubstr("\"1.2k\""));
}

TEST(Iostat, DatesOfLocales) {
  constexpr std::int64_t kThen = 1700000000 * kSecond;  // 2023-11-14 22:13:20
  EXPECT_EQ(parse_local_time("11/14/23 22:13:20", false), kThen);
  EXPECT_EQ(parse_local_time("14/11/23 22:13:20", false), kThen);
  EXPECT_EQ(parse_local_time("14.11.2023 22:13:20", false), kThen);
  EXPECT_EQ(parse_local_time("11/14/2023 10:13:20 PM", false), kThen);
  EXPECT_EQ(parse_local_time("2023-11-14T23:13:20+0100", false), kThen);
  EXPECT_EQ(parse_local_time("04/03/24 00:00:00", true),
            parse_local_time("2024-03-04 00:00:00", false));
  EXPECT_FALSE(parse_local_time("vda 1.0", false));
  EXPECT_FALSE(parse_local_time("99/99/99 99:99:99", false));
}

}  // namespace
}  // namespace reveal::exchange
