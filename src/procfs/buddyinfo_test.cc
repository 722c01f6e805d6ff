#include "procfs/buddyinfo.h"

#include <string>

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

std::vector<ZoneBlocks> zones_of(std::string_view text) {
  std::vector<ZoneBlocks> out;
  parse_buddyinfo(text, out);
  return out;
}

TEST(Buddyinfo, ReadsZonesOfNodes) {
  const auto zones = zones_of(
      "Node 0, zone      DMA      1      0      2 \n"
      "Node 1, zone   Normal  12775   9256   4994   3084   1091    529    172     58     27     47 "
      "   779 \n");
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_EQ(zones[0].node, 0u);
  EXPECT_EQ(zones[0].zone, "DMA");
  EXPECT_EQ(zones[0].orders, 3u);
  EXPECT_EQ(zones[0].blocks[2], 2u);
  EXPECT_EQ(zones[1].node, 1u);
  EXPECT_EQ(zones[1].orders, 11u);
  EXPECT_EQ(zones[1].blocks[0], 12775u);
  EXPECT_EQ(zones[1].blocks[10], 779u);
}

TEST(Buddyinfo, ALineThatIsCutOrRubbishIsLeftOutAndSaid) {
  std::vector<ZoneBlocks> zones;
  EXPECT_TRUE(parse_buddyinfo("Node 0, zone DMA 1 2\n", zones));
  EXPECT_EQ(zones.size(), 1u);
  for (const auto* text :
       {"", "Node 0, zone DMA 1 2", "Node 0 zone DMA 1\n", "Node x, zone DMA 1\n", "Node 0, zone\n",
        "Node 0, zone DMA\n", "Node 0, zone DMA 1 - 3\n"}) {
    EXPECT_FALSE(parse_buddyinfo(text, zones)) << text;
    EXPECT_TRUE(zones.empty()) << text;
  }
  EXPECT_FALSE(parse_buddyinfo("Node 0, zone DMA 1\nNode 0, zone Normal 7", zones));
  EXPECT_EQ(zones.size(), 1u);
}

TEST(Buddyinfo, MoreOrdersThanAnyKernelHasAreLeftOut) {
  std::string line = "Node 0, zone DMA";
  for (int order = 0; order < 40; ++order) line += " 1";
  const auto zones = zones_of(line + "\n");
  ASSERT_EQ(zones.size(), 1u);
  EXPECT_EQ(zones[0].orders, kMaxOrders);
}

const ParserCase kFuzzed("proc/buddyinfo", [](std::string_view text) {
  std::vector<ZoneBlocks> zones;
  parse_buddyinfo(text, zones);
  for (const auto& zone : zones) require(zone.orders > 0 && zone.orders <= kMaxOrders);
});

}  // namespace
}  // namespace reveal::procfs
