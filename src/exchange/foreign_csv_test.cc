#include "exchange/foreign_csv.h"

#include <bit>

#include <gtest/gtest.h>

#include "exchange/gathered_source.h"

namespace reveal::exchange {
namespace {

base::Result<Gathering> gather(std::string text, const ImportOptions& options = {}) {
  Gathering out;
  const auto done = gather_csv_records(
      CsvRecords(TextInput::from_memory(std::move(text), "f.csv"), 0), options, out);
  if (!done) return base::pass(done);
  return out;
}

std::string error_of(std::string text, const ImportOptions& options = {}) {
  const auto gathered = gather(std::move(text), options);
  return gathered ? "none" : gathered.error().message();
}

const Series& series(const Gathering& gathering, std::string_view metric,
                     std::string_view instance = "") {
  for (const auto& one : gathering.all()) {
    if (one.metric == metric && one.instance == instance) return one;
  }
  ADD_FAILURE() << "no " << metric;
  static const Series kNone;
  return kNone;
}

TEST(ForeignCsv, ReadsAColumnAChannel) {
  const auto got = gather(
      "time,a_total,\"b{cpu=\"\"0\"\"}\"\n1700000000,18446744073709551615,0.5\n"
      "1700000001,,-1\n");
  ASSERT_TRUE(got) << got.error().message();
  const auto& a = series(*got, "a_total");
  EXPECT_FALSE(a.real);
  EXPECT_EQ(a.bits, (std::vector<std::uint64_t>{18446744073709551615u}));
  const auto& b = series(*got, "b", "cpu=0");
  EXPECT_TRUE(b.real);
  EXPECT_EQ(std::bit_cast<double>(b.bits[1]), -1);
  EXPECT_EQ(b.times_ns, (std::vector<std::int64_t>{1700000000'000000000, 1700000001'000000000}));
}

TEST(ForeignCsv, ReadsARowASample) {
  const auto got = gather(
      "timestamp,metric,instance,value\n1700000000000,a,cpu=0,1\n"
      "1700000000000,a,cpu=1,2\n1700000001000,a,cpu=0,3\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(series(*got, "a", "cpu=0").bits, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(series(*got, "a", "cpu=1").bits, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(series(*got, "a", "cpu=1").times_ns[0], 1700000000'000000000);
}

TEST(ForeignCsv, ReadsUnitsInCells) {
  const auto got = gather(
      "timestamp, utilization.gpu [%], name\n"
      "2026/11/20 14:03:07.000, 45 %, Some GPU\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(series(*got, "utilization_gpu").bits[0], 45u);
  ASSERT_EQ(got->remarks().size(), 1u);
  EXPECT_NE(got->remarks()[0].find("column name is left out"), std::string::npos);
}

TEST(ForeignCsv, TakesWhatIsNoValueForMissing) {
  const auto got = gather("time;a\n1;\n2;NaN\n3;null\n4;[N/A]\n5;7\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(series(*got, "a").times_ns, (std::vector<std::int64_t>{5'000'000'000}));
}

TEST(ForeignCsv, FindsTheTimes) {
  ImportOptions options;
  options.time_column = "when";
  const auto got = gather("time,when\n5,1700000000\n", options);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(series(*got, "time").bits[0], 5u);
  options.time_column = "nix";
  EXPECT_EQ(error_of("time,when\n5,17\n", options),
            "f.csv, line 1: there is no column nix (its first columns are time, when)");
  const auto first = gather("stamp_ms,a\n1000,1\n");
  ASSERT_TRUE(first);
  EXPECT_EQ(series(*first, "a").times_ns[0], 1'000'000'000);
}

TEST(ForeignCsv, LeavesOutWhatTheMappingSkips) {
  ImportOptions options;
  options.mapping = *parse_mapping("[[channel]]\nmatch=\"b*\"\nskip=true\n", "m");
  const auto wide = gather("time,a,bb\n1,2,oops\n", options);
  ASSERT_TRUE(wide) << wide.error().message();
  EXPECT_EQ(wide->all().size(), 1u);
  const auto tall = gather("time,channel,value\n1,a,2\n1,bb,oops\n", options);
  ASSERT_TRUE(tall) << tall.error().message();
  EXPECT_EQ(tall->all().size(), 1u);
}

std::size_t samples(const Gathering& gathering) {
  std::size_t out = 0;
  for (const auto& one : gathering.all()) out += one.times_ns.size();
  return out;
}

// nvidia-smi writes a row a GPU, some milliseconds apart; one is lost here.
TEST(ForeignCsv, RowsOfSeveralGpusAreChannelsOfTheirOwn) {
  std::string text = "timestamp, index, utilization.gpu [%], power.draw [W], memory.used [MiB]\n";
  for (int second = 10; second < 40; ++second) {
    for (int gpu = 0; gpu < 4; ++gpu) {
      if (second == 20 && gpu == 1) continue;
      text += "2023/11/14 22:13:" + std::to_string(second) + ".00" + std::to_string(3 * gpu) +
              ", " + std::to_string(gpu) + ", 97 %, " + std::to_string(300 + gpu) +
              ".25 W, 7 MiB\n";
    }
  }
  const auto got = gather(text);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(samples(*got), 3u * (30 * 4 - 1));
  const auto& power = series(*got, "gpu_power_draw", "gpu=2");
  ASSERT_EQ(power.bits.size(), 30u);
  EXPECT_EQ(std::bit_cast<double>(power.bits[7]), 302.25);
  EXPECT_EQ(series(*got, "gpu_memory_used", "gpu=1").bits.size(), 29u);
}

// A number with its unit that seldom changes, and a state, number no rows.
// nvidia-smi --format=csv,noheader: the GPU's name and the units are texts.
TEST(ForeignCsv, ALineOfValuesIsNoHeader) {
  for (const char* row :
       {"2026/11/20 14:03:07.000, 0, Some GPU, 45 %, 300.00 W\n",
        "2026/11/20 14:03:07.000, Some GPU, P0, 45, 300.00\n", "1700000000, node7, 45 %, fast\n"}) {
    const auto error = error_of(std::string(row) + row);
    EXPECT_NE(error.find("f.csv, line 1: the first line has no column names"), std::string::npos)
        << error;
    EXPECT_NE(error.find("without noheader"), std::string::npos) << error;
  }
}

// --format=csv,nounits has the units in the header alone.
TEST(ForeignCsv, UnitsOfNvidiaSmiMayBeInItsHeaderAlone) {
  const std::string header =
      "timestamp, index, name, utilization.gpu [%], memory.used [MiB], temperature.gpu, pstate\n";
  const auto with = gather(header + "2026/11/20 14:03:07.000, 0, A, 45 %, 512 MiB, 60, P0\n" +
                           "2026/11/20 14:03:08.000, 0, A, 46 %, 513 MiB, 61, P2\n");
  const auto without = gather(header + "2026/11/20 14:03:07.000, 0, A, 45, 512, 60, P0\n" +
                              "2026/11/20 14:03:08.000, 0, A, 46, 513, 61, P2\n");
  ASSERT_TRUE(with) << with.error().message();
  ASSERT_TRUE(without) << without.error().message();
  ASSERT_EQ(with->all().size(), without->all().size());
  for (std::size_t i = 0; i < with->all().size(); ++i) {
    EXPECT_EQ(with->all()[i].metric, without->all()[i].metric);
    EXPECT_EQ(with->all()[i].bits, without->all()[i].bits);
  }
  EXPECT_EQ(series(*with, "gpu_memory_used").bits, (std::vector<std::uint64_t>{512, 513}));
}

TEST(ForeignCsv, RowsOfOneGpuHaveNoKey) {
  std::string text = "timestamp, index, pstate, utilization.gpu [%]\n";
  for (int second = 10; second < 60; ++second) {
    text += "2023/11/14 22:13:" + std::to_string(second) + ", 0, " +
            (second > 50 ? "P2, 20 %\n" : "P0, 97 %\n");
  }
  const auto got = gather(text);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(series(*got, "utilization_gpu").bits.size(), 50u);
  EXPECT_EQ(got->all().size(), 2u);
}

TEST(ForeignCsv, ATextThatTellsRowsOfAMomentApartIsTheInstance) {
  for (const char* key : {"device", "what", "Disk"}) {
    std::string text = std::string("time,") + key + ",util_percent\n";
    for (int i = 0; i < 5; ++i) {
      text += std::to_string(1700000000 + i) + ",nvme0n1," + std::to_string(i) + "\n";
      text += std::to_string(1700000000 + i) + ",sda," + std::to_string(90 + i) + "\n";
    }
    const auto got = gather(text);
    ASSERT_TRUE(got) << got.error().message();
    ASSERT_EQ(got->all().size(), 2u) << key;
    EXPECT_EQ(got->all()[1].bits, (std::vector<std::uint64_t>{90, 91, 92, 93, 94}));
    EXPECT_TRUE(got->all()[1].instance.ends_with("=sda")) << got->all()[1].instance;
  }
}

TEST(ForeignCsv, TwoTextsMayTellRowsApart) {
  std::string text = "time,host,disk,op,count\n";
  for (int i = 0; i < 3; ++i) {
    for (const char* row : {"sda,read,1", "sda,write,2", "sdb,read,3", "sdb,write,4"}) {
      text += std::to_string(1700000000 + i) + ",node-a," + row + "\n";
    }
  }
  const auto got = gather(text);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(series(*got, "count", "disk=sdb,op=read").bits, (std::vector<std::uint64_t>{3, 3, 3}));
}

// sadf: -1 stands for all processors. A column of loads that is called cpu is none of keys.
TEST(ForeignCsv, ARowAProcessor) {
  std::string text = "# hostname;interval;timestamp;CPU;%iowait\n";
  for (int i = 0; i < 4; ++i) {
    for (const char* row : {"-1;5.5", "0;1.5", "1;9.5"}) {
      text += "node-a;10;2023-11-14 22:13:" + std::to_string(20 + i) + " UTC;" + row + "\n";
    }
  }
  const auto got = gather(text);
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(series(*got, "cpu_iowait_ratio").bits.size(), 4u);
  EXPECT_EQ(std::bit_cast<double>(series(*got, "cpu_iowait_ratio", "cpu=1").bits[3]), 9.5);
  const auto load = gather("time,cpu,mem\n1,12,5\n2,13,5\n3,12,6\n4,40,5\n5,41,5\n6,12,6\n");
  ASSERT_TRUE(load);
  EXPECT_EQ(series(*load, "cpu").bits.size(), 6u);
}

TEST(ForeignCsv, OddLinesAreLeftOutAndTold) {
  const auto got = gather(
      "sep=;\ntime;a\n1;1,5\ntime;a\n2;[GPU is lost]\nnode;-1;3;LINUX-RESTART\n# comment\n"
      "4;<not counted>\n5;-2,25\n");
  ASSERT_TRUE(got) << got.error().message();
  const auto& a = series(*got, "a");
  ASSERT_EQ(a.bits.size(), 2u);
  EXPECT_EQ(std::bit_cast<double>(a.bits[0]), 1.5);
  EXPECT_EQ(std::bit_cast<double>(a.bits[1]), -2.25);
  ASSERT_EQ(got->remarks().size(), 2u);
  EXPECT_NE(got->remarks()[0].find("2 cells are without"), std::string::npos);
  EXPECT_NE(got->remarks()[1].find("3 lines are left out"), std::string::npos);
}

TEST(ForeignCsv, TheHeaderMayStandBehindOtherLines) {
  for (const char* before : {"waiting for 1 second sample...\n", "# a comment\n", "sep=,\n",
                             "Program 1.0\nof host x\n"}) {
    const auto got = gather(std::string(before) + "#UTC,[CPU]User%\n1700000000,5\n1700000001,6\n");
    ASSERT_TRUE(got) << before << got.error().message();
    EXPECT_EQ(samples(*got), 2u) << before;
  }
}

TEST(ForeignCsv, ReadsInfluxTables) {
  const auto got = gather(
      "#group,false,false,false,false,true,true,true,true\n"
      "#datatype,string,long,dateTime:RFC3339,double,string,string,string,string\n"
      "#default,_result,,,,,,,\n"
      ",result,table,_time,_value,_field,_measurement,cpu,host\n"
      ",,0,2023-11-14T22:13:20Z,1.5,usage_user,cpu,cpu0,node-a\n"
      ",,0,2023-11-14T22:13:30Z,2.5,usage_user,cpu,cpu0,node-a\n"
      ",,1,2023-11-14T22:13:20Z,8.5,usage_user,cpu,cpu1,node-a\n"
      ",,2,2023-11-14T22:13:20Z,3.5,usage_idle,cpu,cpu0,node-a\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->all().size(), 3u);
  EXPECT_EQ(series(*got, "cpu_usage_user", "cpu=cpu0").bits.size(), 2u);
  EXPECT_EQ(series(*got, "cpu_usage_idle", "cpu=cpu0").bits.size(), 1u);
}

// DCGM's dcgm_structs.h and what other programs print of all bits.
TEST(ForeignCsv, NumbersThatStandForNoneAreLeftOut) {
  auto got = gather(
      "time,a\n1,4294967295\n2,2147483632\n3,9223372036854775792\n4,4294967295\n"
      "5,9223372036854775794\n6,140737488355328.0\n7,9.2233720368547758e18\n8,5\n"
      "9,2147483631\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(samples(*got), 2u);
  EXPECT_EQ(series(*got, "a").doubtful.size(), 7u);
  auto source = GatheredSource::make(std::move(*got), {});
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ(source->remarks().front(),
            "7 samples are left out, because their numbers stand for no value (4294967295, DCGM's "
            "blanks and others)");
}

TEST(ForeignCsv, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(""), "f.csv, line 1: is empty (export the data again)");
  EXPECT_EQ(error_of("1,2\n3,4\n").substr(0, 49),
            "f.csv, line 1: the first line has no column names");
  EXPECT_EQ(error_of("time,a\n1,2\n3\n").substr(0, 47),
            "f.csv, line 3: has 1 cells, but the header has ");
  EXPECT_EQ(error_of("time,a\n1,2\n2,x\n").substr(0, 46),
            "f.csv, line 3: column a: \"x\" is not a number (");
  EXPECT_EQ(error_of("time,a\nyesterday,2\n").substr(0, 55),
            "f.csv, line 2: column time: \"yesterday\" is not a time (");
  EXPECT_NE(error_of("time,a b,a_b\n1,2,3\n").find("second for the channel a_b"),
            std::string::npos);
}

TEST(ForeignCsv, ReadsTenThousandColumns) {
  std::string header = "time";
  std::string row = "1";
  std::string next = "2";
  for (int i = 0; i < 10'000; ++i) {
    header += ",m" + std::to_string(i);
    row += ",1";
    next += ",2";
  }
  const auto got = gather(header + "\n" + row + "\n" + next + "\n");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->all().size(), 10'000u);
}

}  // namespace
}  // namespace reveal::exchange
