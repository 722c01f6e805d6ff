#include "procfs/schedstat.h"

#include <string>

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

Schedstat parse(std::string_view text) {
  Schedstat out;
  parse_schedstat(text, out);
  return out;
}

TEST(Schedstat, ReadsCoresAndSkipsDomains) {
  const auto stat = parse(
      "version 15\n"
      "timestamp 4295317921\n"
      "cpu0 11 0 300 40 500 60 7000 800 90\n"
      "domain0 00000003 1 2 3 4 5 6 7 8 9\n"
      "cpu12 1 0 3 4 5 6 7 8 9\n");
  EXPECT_EQ(stat.version, 15u);
  ASSERT_EQ(stat.cores.size(), 2u);
  EXPECT_EQ(stat.cores[0].cpu, 0u);
  EXPECT_EQ(stat.cores[0].yields, 11u);
  EXPECT_EQ(stat.cores[0].run_ns, 7000u);
  EXPECT_EQ(stat.cores[0].wait_ns, 800u);
  EXPECT_EQ(stat.cores[0].timeslices, 90u);
  EXPECT_EQ(stat.cores[1].cpu, 12u);
}

TEST(Schedstat, OnlyVersionsWhoseColumnsAreKnown) {
  const std::string core = "\ntimestamp 1\ncpu0 1 0 3 4 5 6 7 8 9\n";
  EXPECT_TRUE(parse("version 14" + core).cores.empty());
  EXPECT_EQ(parse("version 16" + core).cores.size(), 1u);
  EXPECT_EQ(parse("version 17" + core).cores.size(), 1u);
  EXPECT_TRUE(parse("version 18" + core).cores.empty());
  EXPECT_EQ(parse("version 18" + core).version, 18u);
  EXPECT_TRUE(parse("timestamp 1" + core).cores.empty());
}

TEST(Schedstat, ACutOrFaultyCoreIsLeftOut) {
  EXPECT_TRUE(parse("").cores.empty());
  EXPECT_TRUE(parse("version 15\ncpu0 1 0 3 4 5 6 7 8 9").cores.empty());
  EXPECT_TRUE(parse("version 15\ncpu0 1 0 3 4 5 6 7 8\ncpux 1 0 3 4 5 6 7 8 9\n").cores.empty());
  const auto stat = parse("version 15\ncpu3 1 0 3 4 5 6 N/A 8 9 10\n");
  ASSERT_EQ(stat.cores.size(), 1u);
  EXPECT_FALSE(stat.cores[0].run_ns);
  EXPECT_EQ(stat.cores[0].wait_ns, 8u);
}

const ParserCase kFuzzed("proc/schedstat", [](std::string_view text) {
  Schedstat stat;
  parse_schedstat(text, stat);
  require(stat.cores.empty() || stat.version);
});

}  // namespace
}  // namespace reveal::procfs
