#include "procfs/cpu_list.h"

#include <gmock/gmock.h>

#include "procfs/cpu_set.h"
#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CpuList, EmptyAndRubbish) {
  for (const char* text : {"", "\n", ",", "x", "1-", "-1", "5-3", "0-99999999999", "9000\n"}) {
    EXPECT_THAT(parse_cpu_list(text), IsEmpty()) << text;
  }
}

TEST(CpuList, SinglesAndRanges) {
  EXPECT_THAT(parse_cpu_list("0\n"), ElementsAre(0u));
  EXPECT_THAT(parse_cpu_list("0-2,4,6-7\n"), ElementsAre(0u, 1u, 2u, 4u, 6u, 7u));
  EXPECT_THAT(parse_cpu_list("0,x,3"), ElementsAre(0u, 3u));
}

TEST(CpuList, CountsWithoutMakingIt) {
  EXPECT_EQ(count_cpu_list("0-2,4,6-7\n"), 6u);
  EXPECT_EQ(count_cpu_list("5"), 1u);
  EXPECT_EQ(count_cpu_list("0-8191"), 8192u);
  for (const char* text : {"", "\n", "3-1", "0-8192", "0-3,x", "a", "1,,2", "-1", "0-3 "}) {
    EXPECT_EQ(count_cpu_list(text), 0u) << text;
  }
}

const ParserCase kFuzzed("sys/devices/system/cpu/online", [](std::string_view text) {
  count_cpu_list(text);
  for (const auto cpu : parse_cpu_list(text)) require(cpu <= kMaxListedCpu);
  CpuSet set;
  if (!set.assign(text)) return require(set.count() == 0);
  std::string written;
  set.append_to(written);
  CpuSet again;
  require(again.assign(written) && again.count() == set.count());
});

}  // namespace
}  // namespace reveal::procfs
