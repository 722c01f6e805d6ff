#include "procfs/diskstats.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

std::vector<DiskStats> parsed(std::string_view text) {
  std::vector<DiskStats> out(3);  // must be overwritten
  parse_diskstats(text, out);
  return out;
}

TEST(ParseDiskstats, NothingFromNothing) {
  EXPECT_TRUE(parsed("").empty());
  EXPECT_TRUE(parsed("\n\n").empty());
  EXPECT_TRUE(parsed("254 0 vda 1 2 3").empty());
}

TEST(ParseDiskstats, EachKernelsColumns) {
  const auto disks = parsed(
      "   8  0 sda 1 2 3 4 5 6 7 8 9 10 11\n"
      "   8 16 sdb 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
      " 259  0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
      " 259  1 nvme1n1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n");
  ASSERT_EQ(disks.size(), 4u);
  EXPECT_EQ(disks[0].name, "sda");
  EXPECT_EQ(disks[0][DiskField::kSectorsRead], Value(3));
  EXPECT_EQ(disks[0][DiskField::kQueueMs], Value(11));
  EXPECT_FALSE(disks[0][DiskField::kDiscards]);
  EXPECT_EQ(disks[1][DiskField::kDiscardMs], Value(15));
  EXPECT_FALSE(disks[1][DiskField::kFlushes]);
  EXPECT_EQ(disks[2][DiskField::kFlushMs], Value(17));
  EXPECT_EQ(disks[3][DiskField::kFlushMs], Value(17));
}

TEST(ParseDiskstats, ColumnsOfAnotherMeaningAreNotTaken) {
  EXPECT_TRUE(parsed("8 1 sda1 10 20 30 40\n").empty());
}

TEST(ParseDiskstats, RubbishCostsOnlyItself) {
  const auto disks =
      parsed("x y z\n8 0 sda 1 N/A 3 4 5 6 7 8 -1 10 11\n8 16 sdb 1 2 3 4 5 6 7 8 9");
  ASSERT_EQ(disks.size(), 1u);
  EXPECT_FALSE(disks[0][DiskField::kReadsMerged]);
  EXPECT_FALSE(disks[0][DiskField::kInFlight]);
  EXPECT_EQ(disks[0][DiskField::kBusyMs], Value(10));
}

TEST(ParseDiskStat, IsTheLineOfOneDevice) {
  std::array<Value, kDiskFieldCount> fields;
  fields.fill(99);  // must be overwritten
  ASSERT_TRUE(parse_disk_stat("  1  2  3  4  5  6  7  8  9  10  11\n", fields));
  EXPECT_EQ(fields[0], Value(1));
  EXPECT_EQ(fields[10], Value(11));
  EXPECT_FALSE(fields[11]);
  ASSERT_TRUE(parse_disk_stat("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n", fields));
  EXPECT_EQ(fields[16], Value(17));
  EXPECT_FALSE(parse_disk_stat("1 2 3 4 5 6 7 8 9 10 11", fields));  // cut off
  EXPECT_FALSE(parse_disk_stat("1 2 3 4\n", fields));
  EXPECT_FALSE(parse_disk_stat("", fields));
}

const ParserCase kFuzzed("proc/diskstats", [](std::string_view text) {
  std::vector<DiskStats> disks;
  parse_diskstats(text, disks);
  for (const auto& disk : disks) require(!disk.name.empty());
  std::array<Value, kDiskFieldCount> fields;
  require(!parse_disk_stat(text, fields) || text.find('\n') != std::string_view::npos);
});

}  // namespace
}  // namespace reveal::procfs
