#include "procfs/cgroup_text.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> nested(std::string_view text) {
  std::vector<std::string> out;
  for_nested_keys(text, [&](auto name, auto key, auto value) {
    out.push_back(fmt::format("{} {}={}", name, key, value));
  });
  return out;
}

TEST(CgroupText, IoStatHasPairsPerDevice) {
  EXPECT_THAT(nested("8:16 rbytes=1459200 wios=353\n8:0 rbytes=90430464\n"),
              ElementsAre("8:16 rbytes=1459200", "8:16 wios=353", "8:0 rbytes=90430464"));
}

TEST(CgroupText, DevicesWithoutPairsAndCutLinesSayNothing) {
  EXPECT_THAT(nested("253:0\n"), IsEmpty());  // the kernel's own slip: a device with no statistics
  EXPECT_THAT(nested("8:16 rbytes=14592"), IsEmpty());
  EXPECT_THAT(nested("8:16 rbytes= wbytes=x =7 rios=-1 wios=99999999999999999999\n"), IsEmpty());
  EXPECT_THAT(nested("anon=5 N0=5\n"), IsEmpty());  // version 1's memory.numa_stat
}

TEST(CgroupText, RdmaCountsPerAdapter) {
  EXPECT_THAT(nested("mlx5_0 hca_handle=2 hca_object=max\n"), ElementsAre("mlx5_0 hca_handle=2"));
}

std::vector<std::string> operations(std::string_view text) {
  std::vector<std::string> out;
  for_blkio_operations(text, [&](auto device, auto operation, auto value) {
    out.push_back(fmt::format("{} {} {}", device, operation, value));
  });
  return out;
}

TEST(CgroupText, BlkioOperationsWithoutTheTotalOfAllDevices) {
  EXPECT_THAT(operations("8:0 Read 4096\n8:0 Write 0\n8:0 Total 4096\nTotal 4096\n"),
              ElementsAre("8:0 Read 4096", "8:0 Write 0", "8:0 Total 4096"));
  EXPECT_THAT(operations("Total 0\n8:0 Read\n8:0 Read x\n8:0 Read 12"), IsEmpty());
}

std::vector<std::string> v1_nodes(std::string_view text, std::string_view key) {
  std::vector<std::string> out;
  for_v1_numa_nodes(
      text, key, [&](auto node, auto pages) { out.push_back(fmt::format("{}={}", node, pages)); });
  return out;
}

TEST(CgroupText, NodesOfVersionOne) {
  const char* text =
      "total=5 N0=5 N1=0\nanon=4 N0=3 N1=1\nhierarchical_anon=44 N0=33 N1=11\n"
      "hierarchical_unevictable=9 N0=9\n";
  EXPECT_THAT(v1_nodes(text, "hierarchical_anon"), ElementsAre("0=33", "1=11"));
  EXPECT_THAT(v1_nodes(text, "anon"), ElementsAre("0=3", "1=1"));
  EXPECT_THAT(v1_nodes(text, "hierarchical"), IsEmpty());
  EXPECT_THAT(v1_nodes("anon=4 N=3 Nx=1 N5000=1 N1 N2=-1\n", "anon"), IsEmpty());
}

TEST(CgroupText, QuotaOfEveryPeriod) {
  const auto quota = parse_cpu_max("150000 100000\n");
  ASSERT_TRUE(quota);
  EXPECT_EQ(quota->quota_us, 150000u);
  EXPECT_EQ(quota->period_us, 100000u);
  for (const char* text : {"", "max 100000\n", "5\n", "5 0\n", "5 100000", "5 max\n"}) {
    EXPECT_FALSE(parse_cpu_max(text)) << text;
  }
}

TEST(CgroupText, SingleNumber) {
  EXPECT_EQ(parse_single("18446744073709551615\n"), Value(~0ULL));
  for (const char* text : {"", "max\n", "-1\n", "12", "1 2\n", "\n"}) {
    EXPECT_FALSE(parse_single(text)) << text;
  }
}

const ParserCase kFuzzed("sys/fs/cgroup/system.slice/io.stat", [](std::string_view text) {
  std::size_t entries = 0;
  for_nested_keys(text, [&](auto name, auto key, auto) {
    require(!name.empty() && !key.empty());
    ++entries;
  });
  for_blkio_operations(text, [&](auto, auto, auto) { ++entries; });
  for_v1_numa_nodes(text, "anon", [&](std::uint64_t node, auto) {
    require(node <= kMaxNumaNode);
    ++entries;
  });
  require(entries <= text.size());
  if (const auto quota = parse_cpu_max(text)) require(quota->period_us > 0);
  parse_single(text);
});

}  // namespace
}  // namespace reveal::procfs
