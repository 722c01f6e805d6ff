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
