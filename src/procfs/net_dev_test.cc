#include "procfs/net_dev.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

constexpr const char* kHeader =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop "
    "fifo colls carrier compressed\n";

std::vector<InterfaceStats> parsed(const std::string& text) {
  std::vector<InterfaceStats> out(3);  // must be overwritten
  NetDevReader reader;
  reader.read(text, out);
  return out;
}

TEST(NetDev, EveryColumn) {
  const std::string text =
      std::string(kHeader) + "  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\nib0:21 22\n";
  std::vector<InterfaceStats> all;
  NetDevReader reader;
  reader.read(text, all);
  ASSERT_EQ(all.size(), 2u);
  const std::uint64_t expected[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15};
  for (std::size_t i = 0; i < kNetFieldCount; ++i) EXPECT_EQ(all[0].fields[i], Value(expected[i]));
  EXPECT_EQ(all[0].name, "eth0");
  EXPECT_EQ(all[1].name, "ib0");
  EXPECT_EQ(all[1][NetField::kRxPackets], Value(22));
  EXPECT_FALSE(all[1][NetField::kTxBytes]);
}

TEST(NetDev, ColumnsFollowTheHeader) {
  const std::string text = "a|b|c\n face |packets new bytes|drop bytes\n eth0: 1 2 3 4 5\n";
  std::vector<InterfaceStats> all;
  NetDevReader reader;
  reader.read(text, all);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0][NetField::kRxPackets], Value(1));
  EXPECT_EQ(all[0][NetField::kRxBytes], Value(3));
  EXPECT_EQ(all[0][NetField::kTxDrops], Value(4));
  EXPECT_EQ(all[0][NetField::kTxBytes], Value(5));
  EXPECT_FALSE(all[0][NetField::kRxErrors]);
}

TEST(NetDev, RubbishIsMissing) {
  EXPECT_TRUE(parsed("").empty());
  EXPECT_TRUE(parsed("one line\n").empty());
  EXPECT_TRUE(parsed(std::string(kHeader) + "no colon 1 2\n : 5\n eth0: 1 2").empty());
  const std::string without_header = "x\ny\n eth0: 1 2 3\n";
  std::vector<InterfaceStats> all;
  NetDevReader reader;
  reader.read(without_header, all);
  ASSERT_EQ(all.size(), 1u);
  for (const Value& value : all[0].fields) EXPECT_FALSE(value);
}

const ParserCase kFuzzed("proc/net/dev", [](std::string_view text) {
  NetDevReader reader;
  std::vector<InterfaceStats> interfaces;
  reader.read(text, interfaces);
  reader.read(text.substr(0, text.size() / 2), interfaces);
  for (const auto& interface : interfaces) require(!interface.name.empty());
});

}  // namespace
}  // namespace reveal::procfs
