#include "procfs/stat.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

ProcStat parsed(std::string_view text) {
  ProcStat out;
  parse_stat(text, out);
  return out;
}

TEST(ParseStat, EmptyTextSaysNothing) {
  const ProcStat stat = parsed("");
  EXPECT_TRUE(stat.cores.empty());
  EXPECT_FALSE(stat.ctxt);
  EXPECT_FALSE(stat.host[0]);
}

TEST(ParseStat, AllColumnsAndTotals) {
  const ProcStat stat = parsed(
      "cpu  1 2 3 4 5 6 7 8 9 10\n"
      "cpu0 11 12 13 14 15 16 17 18 19 20\n"
      "intr 500 0 0 7 9\nctxt 600\nbtime 1700000000\nprocesses 70\nprocs_running 8\n"
      "procs_blocked 9\nsoftirq 1000 1 2 3\n");
  for (std::size_t i = 0; i < kCpuStateCount; ++i) {
    EXPECT_EQ(stat.host[i], Value(i + 1));
    EXPECT_EQ(stat.cores.at(0).ticks[i], Value(i + 11));
  }
  EXPECT_EQ(stat.intr, Value(500));
  EXPECT_EQ(stat.ctxt, Value(600));
  EXPECT_EQ(stat.btime, Value(1700000000));
  EXPECT_EQ(stat.processes, Value(70));
  EXPECT_EQ(stat.procs_running, Value(8));
  EXPECT_EQ(stat.procs_blocked, Value(9));
  EXPECT_EQ(stat.softirq, Value(1000));
}

TEST(ParseStat, OldKernelsHaveFewerColumnsAndNewOnesMayHaveMore) {
  const ProcStat old = parsed("cpu0 1 2 3 4 5 6 7\n");
  EXPECT_EQ(old.cores.at(0).ticks[6], Value(7));
  EXPECT_FALSE(old.cores.at(0).ticks[7]);
  const ProcStat later = parsed("cpu0 1 2 3 4 5 6 7 8 9 10 11 12\n");
  EXPECT_EQ(later.cores.at(0).ticks[9], Value(10));
}

TEST(ParseStat, OfflineCoreIsSkippedByNumber) {
  const ProcStat stat = parsed("cpu0 1\ncpu2 3\n");
  ASSERT_EQ(stat.cores.size(), 2u);
  EXPECT_EQ(stat.cores[1].cpu, 2u);
}

TEST(ParseStat, RubbishCostsOnlyItself) {
  const ProcStat stat = parsed("cpux 9\ncpu-1 9\ncpu0 1 N/A 3\nctxt many\nprocesses 5\nctx");
  ASSERT_EQ(stat.cores.size(), 1u);
  EXPECT_EQ(stat.cores[0].ticks[0], Value(1));
  EXPECT_FALSE(stat.cores[0].ticks[1]);
  EXPECT_EQ(stat.cores[0].ticks[2], Value(3));
  EXPECT_FALSE(stat.ctxt);
  EXPECT_EQ(stat.processes, Value(5));
}

TEST(ParseStat, NothingIsLeftOfTheTextBefore) {
  ProcStat stat;
  parse_stat("cpu0 1 2 3\ncpu1 1\nctxt 5\n", stat);
  parse_stat("cpu1 4\n", stat);
  ASSERT_EQ(stat.cores.size(), 1u);
  EXPECT_EQ(stat.cores[0].cpu, 1u);
  EXPECT_FALSE(stat.ctxt);
}

const ParserCase kFuzzed("proc/stat", [](std::string_view text) {
  ProcStat stat;
  parse_stat(text, stat);
  require(stat.cores.size() <= text.size());
});

}  // namespace
}  // namespace reveal::procfs
