#include "exchange/parquet.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "duck/testing/duckdb_fixture.h"
#include "exchange/sample_rows.h"
#include "exchange/testing/test_frames.h"

namespace reveal::exchange {
namespace {

namespace fs = std::filesystem;
using model::ChannelId;
using model::Repr;
using model::Validity;
using HostRun = test_frames::Run;
using test_frames::TempDir;
using testing::ElementsAre;
using testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

class ParquetTest : public duck::DuckdbTest {
 protected:
  fs::path write(const HostRun& run, Layout layout) const {
    const auto path = dir_.path() / "run.parquet";
    auto writer = make_parquet_writer({path, layout, &run.channels});
    EXPECT_TRUE(writer) << writer.error().message();
    EXPECT_TRUE((*writer)->begin(run.run_facts));
    for (const auto& frame : run.frames) EXPECT_TRUE((*writer)->write(run.channels, frame));
    const auto done = (*writer)->finish();
    EXPECT_TRUE(done) << done.error().message();
    return path;
  }

  // Makes a Parquet file as another program would.
  fs::path write_foreign(const std::string& select) const {
    const auto path = dir_.path() / "foreign.parquet";
    auto sql = session({.files = true});
    const auto done = sql.execute(
        fmt::format("COPY ({}) TO {} (FORMAT parquet)", select, duck::sql_text(path.string())));
    EXPECT_TRUE(done) << done.error().message();
    return path;
  }

  Rows ask(const fs::path& path, const std::string& columns) const {
    auto sql = session({.files = true});
    return rows(sql, fmt::format("SELECT {} FROM {}", columns, duck::sql_text(path.string())));
  }

  TempDir dir_;
};

// What the frames hold, summed here and not by DuckDB: whole numbers modulo 2^64 by metric.
std::map<std::string, std::uint64_t> sums_of_counts(const HostRun& run) {
  std::map<std::string, std::uint64_t> out;
  for (const auto& frame : run.frames) {
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      const auto& metric = run.channels.metric(ChannelId(i));
      if (metric.repr != Repr::kU64 || frame.validity[i] == Validity::kMissing) continue;
      out[std::string(metric.name)] += frame.bits[i];
    }
  }
  return out;
}

TEST_F(ParquetTest, HoldsWhatTheFramesHold) {
  const auto run = test_frames::make_run(11, 40, 20);
  const auto want = sums_of_counts(run);
  const auto path = write(run, Layout::kLong);
  for (const auto& [metric, sum] : want) {
    const auto got =
        ask(path, fmt::format("sum(bits) FILTER (metric = '{}') % 18446744073709551616", metric));
    EXPECT_EQ(got, (Rows{{std::to_string(sum)}})) << metric;
  }
}

TEST_F(ParquetTest, WideHasAColumnAChannelAndNoMore) {
  const auto run = test_frames::make_run(12, 7, 10);
  std::size_t present = 0;
  for (const auto& frame : run.frames) present += frame.validity[1] == Validity::kMissing ? 0u : 1u;
  const auto path = write(run, Layout::kWide);
  EXPECT_EQ(ask(path,
                "count(*), count(\"cpu_quantity0_total{cpu=3}\"), "
                "typeof(any_value(\"cpu_quantity0_total\")), "
                "typeof(any_value(\"cpu_quantity1_total\"))"),
            (Rows{{"7", std::to_string(present), "UBIGINT", "DOUBLE"}}));
  // The clock of the columns is one and the same; the last digits are cut, not rounded.
  EXPECT_EQ(ask(path, "bool_and(epoch_us(time) = time_ns // 1000), min(time)::DATE"),
            (Rows{{"true", "2023-11-14"}}));
}

TEST_F(ParquetTest, ValueIsInTheMetricsUnit) {
  HostRun run = test_frames::make_run(13, 1, 5);
  run.frames[0].validity[2] = Validity::kFresh;
  run.frames[0].bits[2] = 41;  // the metric's scale is 0.1
  const auto path = write(run, Layout::kLong);
  EXPECT_EQ(ask(path, "any_value(value) FILTER (instance = 'dev=a,b')"),
            (Rows{{"4.1000000000000005"}}));
}

TEST_F(ParquetTest, NamesThatDifferInNothingButCaseStayApart) {
  HostRun run;
  run.run_facts = test_frames::facts();
  for (const char* name : {"cpu_Busy", "cpu_busy", "time", "cpu_BUSY"}) {
    model::MetricDescriptor metric;
    metric.name = name;
    run.channels.add_channel(run.channels.add_metric(metric));
  }
  auto& frame = run.frames.emplace_back();
  frame.resize(4);
  for (std::size_t i = 0; i < 4; ++i) frame.set_u64(ChannelId(i), i + 1);
  const auto path = write(run, Layout::kWide);
  EXPECT_EQ(ask(path, "\"cpu_Busy\", \"cpu_busy (2)\", \"time (2)\", \"cpu_BUSY (3)\""),
            (Rows{{"1", "2", "3", "4"}}));
  auto back = open_own_parquet(path);
  ASSERT_TRUE(back) << back.error().message();
  const auto read = (*back)->next();
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_THAT((*read)->bits, ElementsAre(1, 2, 3, 4));
}

TEST_F(ParquetTest, NamesThatAreNotUtf8AreMended) {
  HostRun run;
  run.run_facts = test_frames::facts();
  model::MetricDescriptor metric;
  metric.name = "cpu_busy";
  run.channels.add_channel(run.channels.add_metric(metric), "cg=\xFF\xC3\xA9");
  auto& frame = run.frames.emplace_back();
  frame.resize(1);
  frame.set_u64(ChannelId(0), 5);
  EXPECT_EQ(ask(write(run, Layout::kLong), "instance, bits"),
            (Rows{{"cg=\xEF\xBF\xBD\xC3\xA9", "5"}}));
  EXPECT_EQ(ask(write(run, Layout::kWide), "\"cpu_busy{cg=\xEF\xBF\xBD\xC3\xA9}\""), (Rows{{"5"}}));
}

TEST_F(ParquetTest, IsNotWrittenToStandardOutput) {
  const HostRun run = test_frames::make_run(1, 1, 5);
  const auto writer = make_parquet_writer({"-", Layout::kWide, &run.channels});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(writer.error().message(), HasSubstr("-o FILE.parquet"));
}

TEST_F(ParquetTest, WhatIsNoFileIsNotReplaced) {
  const HostRun run = test_frames::make_run(1, 1, 5);
  for (const char* place : {"/dev/null", "/tmp"}) {
    const auto writer = make_parquet_writer({place, Layout::kWide, &run.channels});
    ASSERT_FALSE(writer) << place;
    EXPECT_EQ(writer.error().kind, base::ErrorKind::kUsage);
  }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ParquetTest, APlaceThatCannotBeWrittenIsSaidAtOnce) {
  const HostRun run = test_frames::make_run(1, 1, 5);
  const auto writer = make_parquet_writer({"/nonexistent/x.parquet", Layout::kWide, &run.channels});
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().message(), HasSubstr("/nonexistent/x.parquet: cannot create"));
}

TEST_F(ParquetTest, AWriterThatIsNotFinishedLeavesNothing) {
  const HostRun run = test_frames::make_run(1, 3, 5);
  {
    auto writer = make_parquet_writer({dir_.path() / "x.parquet", Layout::kWide, &run.channels});
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->begin(run.run_facts));
    ASSERT_TRUE((*writer)->write(run.channels, run.frames[0]));
  }
  EXPECT_TRUE(fs::is_empty(dir_.path()));
}

// Reads all frames; returns whether it went without an error.
bool reads(const fs::path& path) {
  auto source = open_own_parquet(path);
  if (!source || *source == nullptr) return false;
  for (;;) {
    const auto frame = (*source)->next();
    if (!frame) return false;
    if (*frame == nullptr) return true;
  }
}

TEST_F(ParquetTest, ATruncatedFileIsAnError) {
  const auto whole = test_frames::read_file(write(test_frames::make_run(2, 30, 15), Layout::kWide));
  const auto path = dir_.path() / "cut.parquet";
  for (std::size_t i = 0; i < 40; ++i) {
    test_frames::write_file(path, std::string_view(whole).substr(0, whole.size() * i / 40));
    EXPECT_FALSE(reads(path)) << i;
  }
  test_frames::write_file(path, whole);
  EXPECT_TRUE(reads(path));
}

TEST_F(ParquetTest, FlippedBytesEndInAnErrorOrInFrames) {
  const auto whole = test_frames::read_file(write(test_frames::make_run(3, 20, 10), Layout::kLong));
  base::Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    std::string damaged = whole;
    damaged[rng.below(damaged.size())] ^= static_cast<char>(1u << rng.below(8));
    reads(test_frames::write_file(dir_.path() / "flipped.parquet", damaged));
  }
}

TEST_F(ParquetTest, ColumnsThatAreNotThoseOfTheMetadataAreAnError) {
  const auto path = write(test_frames::make_run(4, 3, 5), Layout::kWide);
  auto sql = session({.files = true});
  const auto edited = dir_.path() / "edited.parquet";
  // DuckDB gives the metadata back as it was; the copy lacks a channel.
  const auto json = rows(sql, fmt::format("SELECT decode(value) FROM parquet_kv_metadata({})",
                                          duck::sql_text(path.string())))[0][0];
  ASSERT_TRUE(sql.execute(fmt::format(
      "COPY (SELECT * EXCLUDE \"cpu_quantity0_total\" FROM {}) TO {} (FORMAT parquet, "
      "KV_METADATA {{reveal: {}}})",
      duck::sql_text(path.string()), duck::sql_text(edited.string()), duck::sql_text(json))));
  const auto source = open_own_parquet(edited);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().kind, base::ErrorKind::kCorrupt);
  EXPECT_THAT(source.error().message(), HasSubstr("not those that its metadata tells of"));
}

TEST_F(ParquetTest, WhatIsNoParquetSaysSo) {
  const auto path = test_frames::write_file(dir_.path() / "x.parquet", "time,value\n1,2\n");
  const auto own = open_own_parquet(path);
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().kind, base::ErrorKind::kCorrupt);
  EXPECT_THAT(own.error().message(), HasSubstr("cannot be read as Parquet"));
  const auto absent = open_own_parquet(dir_.path() / "absent.parquet");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, base::ErrorKind::kAbsent);
}

TEST_F(ParquetTest, APathIsNoPattern) {
  const auto written = write(test_frames::make_run(6, 4, 5), Layout::kWide);
  const auto odd = dir_.path() / "it's [a-z]*?.parquet";
  fs::copy_file(written, odd);
  EXPECT_TRUE(reads(odd));
  const HostRun run = test_frames::make_run(6, 4, 5);
  const auto second = dir_.path() / "that's [0] {1}.parquet";
  auto writer = make_parquet_writer({second, Layout::kWide, &run.channels});
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->begin(run.run_facts));
  for (const auto& frame : run.frames) ASSERT_TRUE((*writer)->write(run.channels, frame));
  const auto done = (*writer)->finish();
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_EQ(test_frames::read_file(second), test_frames::read_file(odd));
}

TEST_F(ParquetTest, ForeignWideIsReadAsCsvWouldBe) {
  const auto path = write_foreign(
      "SELECT TIMESTAMP '2026-01-02 03:04:05.5' + INTERVAL (i) SECOND AS time, "
      "18446744073709551615::UBIGINT - i::UBIGINT AS network_packets_total, "
      "i / 4 AS cpu_load, i > 1 AS cpu_throttled, "
      "CASE WHEN i = 1 THEN NULL ELSE i END AS memory_free_bytes, 'x' AS word FROM range(3) r(i)");
  const auto own = open_own_parquet(path);
  ASSERT_TRUE(own) << own.error().message();
  EXPECT_EQ(*own, nullptr);
  Gathering out;
  const auto gathered = gather_parquet(path, {}, out);
  ASSERT_TRUE(gathered) << gathered.error().message();
  std::map<std::string, const Series*> by_name;
  for (const auto& series : out.all()) by_name[series.metric] = &series;
  ASSERT_EQ(by_name.size(), 4u);
  const auto& packets = *by_name.at("network_packets_total");
  EXPECT_FALSE(packets.real);
  EXPECT_THAT(packets.bits,
              ElementsAre(18446744073709551615U, 18446744073709551614U, 18446744073709551613U));
  // date -u -d '2026-01-02T03:04:05' +%s
  EXPECT_THAT(packets.times_ns,
              ElementsAre(1767323045'500000000, 1767323046'500000000, 1767323047'500000000));
  EXPECT_THAT(by_name.at("cpu_load")->bits,
              ElementsAre(std::bit_cast<std::uint64_t>(0.0), std::bit_cast<std::uint64_t>(0.25),
                          std::bit_cast<std::uint64_t>(0.5)));
  EXPECT_THAT(by_name.at("cpu_throttled")->bits, ElementsAre(0, 0, 1));
  EXPECT_THAT(by_name.at("memory_free_bytes")->bits, ElementsAre(0, 2));
  EXPECT_THAT(out.remarks(), ElementsAre(HasSubstr("column word is left out")));
}

TEST_F(ParquetTest, ForeignLongIsReadAsCsvWouldBe) {
  const auto path = write_foreign(
      "SELECT to_timestamp(1700000000 + i) AS timestamp, 'cpu_load' AS metric, "
      "'cpu=' || (i % 2) AS instance, i * 1.5 AS value FROM range(4) r(i)");
  Gathering out;
  const auto gathered = gather_parquet(path, {}, out);
  ASSERT_TRUE(gathered) << gathered.error().message();
  ASSERT_EQ(out.all().size(), 2u);
  EXPECT_EQ(out.all()[1].instance, "cpu=1");
  EXPECT_THAT(out.all()[1].times_ns, ElementsAre(1700000001'000000000, 1700000003'000000000));
}

TEST_F(ParquetTest, AnErrorInAForeignFileNamesTheFile) {
  const auto path = write_foreign("SELECT 'yesterday' AS time, 1 AS cpu_load");
  Gathering out;
  const auto gathered = gather_parquet(path, {}, out);
  ASSERT_FALSE(gathered);
  EXPECT_THAT(gathered.error().message(), testing::StartsWith(path.string()));
}

TEST(ParquetExact, RefusesWhatItDidNotWrite) {
  model::Frame frame;
  frame.resize(3);
  frame.set_u64(ChannelId(1), 5);
  EXPECT_TRUE(apply_exact("", frame));
  EXPECT_TRUE(apply_exact("1:18446744073709551615", frame));
  EXPECT_EQ(frame.bits[1], 18446744073709551615U);
  for (const char* wrong : {"1", "1:", ":1", "x", "0:1", "3:1", "1:2,1:3", "1:-2",
                            "1:18446744073709551616", " 1:2", "99999999999999999999:1"}) {
    EXPECT_FALSE(apply_exact(wrong, frame)) << wrong;
  }
}

TEST(ValidityWord, ComesBack) {
  for (const auto validity :
       {Validity::kMissing, Validity::kFresh, Validity::kStale, Validity::kReset}) {
    EXPECT_EQ(validity_of_word(validity_word(validity)), validity);
  }
  EXPECT_EQ(validity_of_word("Fresh"), std::nullopt);
}

}  // namespace
}  // namespace reveal::exchange
