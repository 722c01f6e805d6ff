#include "procfs/lustre_stats.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

TEST(LustreStats, ReadsTheSumsOfBytes) {
  const auto stats = parse_lustre_stats(
      "snapshot_time             1721736000.123456789 secs.nsecs\n"
      "read_bytes                4061 samples [bytes] 4096 1048576 4253024256\n"
      "write_bytes               10 samples [bytes] 1 4096 40960 167772160\n"
      "open                      77 samples [regs]\n");
  EXPECT_EQ(stats.read_bytes, 4253024256u);
  EXPECT_EQ(stats.written_bytes, 40960u);
}

TEST(LustreStats, WhatIsCutOrRubbishIsMissing) {
  for (const auto* text :
       {"", "read_bytes 1 samples [bytes] 1 2 3", "read_bytes 1 samples [bytes] 1 2\n",
        "read_bytes 1 samples [pages] 1 2 3\n", "read_bytes 1 samples [bytes] 1 2 -3\n",
        "read_bytes\n", "\n"}) {
    EXPECT_FALSE(parse_lustre_stats(text).read_bytes) << text;
    EXPECT_FALSE(parse_lustre_stats(text).written_bytes) << text;
  }
}

const ParserCase kFuzzed("sys/kernel/debug/lustre/llite/scratch-ffff9e1c40a2b800/stats",
                         [](std::string_view text) { parse_lustre_stats(text); });

}  // namespace
}  // namespace reveal::procfs
