#include "procfs/cpu_mask.h"

#include <string>

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

TEST(CpuMask, RubbishIsNoMask) {
  for (const char* text : {"", ",", "1,", ",1", "x", "-1", "123456789", "0 1", "1,,1"}) {
    CpuMask mask;
    EXPECT_FALSE(mask.merge(text)) << text;
    EXPECT_EQ(mask.count(), 0u) << text;
  }
  CpuMask mask;
  std::string too_wide = "1";
  for (int i = 0; i < 256; ++i) too_wide += ",00000000";
  EXPECT_FALSE(mask.merge(too_wide));
}

TEST(CpuMask, LowestCoresStandLast) {
  CpuMask mask;
  EXPECT_TRUE(mask.merge("80000000,00000005"));
  EXPECT_EQ(mask.count(), 3u);
  EXPECT_TRUE(mask.contains(0));
  EXPECT_FALSE(mask.contains(1));
  EXPECT_TRUE(mask.contains(2));
  EXPECT_TRUE(mask.contains(63));
  EXPECT_FALSE(mask.contains(100'000));
}

TEST(CpuMask, MergesUntilCleared) {
  CpuMask mask;
  EXPECT_TRUE(mask.merge("3"));
  EXPECT_TRUE(mask.merge("6"));
  EXPECT_EQ(mask.count(), 3u);
  mask.clear();
  EXPECT_EQ(mask.count(), 0u);
}

const ParserCase kFuzzed("sys/class/net/eth0/queues/rx-0/rps_cpus", [](std::string_view text) {
  CpuMask mask;
  const bool sound = mask.merge(text);
  require(sound || mask.count() == 0);
  require(mask.count() <= 4 * text.size());
});

}  // namespace
}  // namespace reveal::procfs
