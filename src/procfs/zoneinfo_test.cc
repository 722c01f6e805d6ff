#include "procfs/zoneinfo.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

// Cut from Linux 6.18 and 4.18.
constexpr std::string_view kText =
    "Node 0, zone      DMA\n"
    "  per-node stats\n"
    "      nr_inactive_anon 504995\n"
    "  pages free     3840\n"
    "        boost    0\n"
    "        min      10\n"
    "        low      13\n"
    "        high     16\n"
    "        promo    19\n"
    "        spanned  4095\n"
    "        present  3998\n"
    "        managed  3840\n"
    "        cma      0\n"
    "        protection: (0, 2979, 24072, 24072, 24072)\n"
    "      nr_free_pages 3840\n"
    "  pagesets\n"
    "    cpu: 0\n"
    "              count:    0\n"
    "              high:     99\n"
    "              batch:    1\n"
    "  node_unreclaimable:  0\n"
    "Node 1, zone   Normal\n"
    "  pages free     5000000\n"
    "        min      11000\n"
    "        low      13750\n"
    "        high     16500\n"
    "        spanned  8388608\n"
    "        present  8388608\n"
    "        managed  8212345\n";

std::vector<ZoneWatermarks> parse(std::string_view text) {
  std::vector<ZoneWatermarks> out;
  parse_zoneinfo(text, out);
  return out;
}

TEST(Zoneinfo, ReadsWatermarksOfEachZone) {
  const auto zones = parse(kText);
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_EQ(zones[0].node, 0u);
  EXPECT_EQ(zones[0].zone, "DMA");
  EXPECT_EQ(zones[0].free, 3840u);
  EXPECT_EQ(zones[0].min, 10u);
  EXPECT_EQ(zones[0].low, 13u);
  EXPECT_EQ(zones[0].high, 16u);
  EXPECT_EQ(zones[0].managed, 3840u);
  EXPECT_EQ(zones[1].node, 1u);
  EXPECT_EQ(zones[1].zone, "Normal");
  EXPECT_EQ(zones[1].free, 5000000u);
  EXPECT_EQ(zones[1].managed, 8212345u);
}

TEST(Zoneinfo, CutAnywhereNothingIsInvented) {
  for (std::size_t size = 0; size < kText.size(); ++size) {
    for (const auto& zone : parse(kText.substr(0, size))) {
      const bool first = zone.node == 0;
      EXPECT_EQ(zone.free.value_or(first ? 3840 : 5000000), first ? 3840u : 5000000u) << size;
      EXPECT_EQ(zone.high.value_or(first ? 16 : 16500), first ? 16u : 16500u) << size;
    }
  }
}

TEST(Zoneinfo, RubbishIsNoZone) {
  EXPECT_TRUE(parse("").empty());
  EXPECT_TRUE(parse("pages free 5\n  min 1\n").empty());
  EXPECT_TRUE(parse("Node x, zone DMA\n  min 1\n").empty());
  EXPECT_TRUE(parse("Node 0, zone\n  min 1\n").empty());
  EXPECT_TRUE(parse("Node 99999999999, zone DMA\n").empty());
}

const ParserCase kFuzzed("proc/zoneinfo", [](std::string_view text) {
  std::vector<ZoneWatermarks> zones;
  parse_zoneinfo(text, zones);
  for (const auto& zone : zones) require(!zone.zone.empty());
});

}  // namespace
}  // namespace reveal::procfs
