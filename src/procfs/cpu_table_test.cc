#include "procfs/cpu_table.h"

#include <gmock/gmock.h>

#include "procfs/interrupts.h"
#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

TEST(CpuTable, TextWithoutAHeaderHasNoRows) {
  CpuTableReader reader;
  CpuTableRow row;
  for (const char* text : {"", "CPU0", "\n", "LOC: 1 2\nRES: 3 4\n", "CPU0 CPUx\nLOC: 1 2\n"}) {
    reader.start(text);
    EXPECT_TRUE(reader.cpus().empty()) << text;
    EXPECT_FALSE(reader.next(row)) << text;
  }
}

TEST(CpuTable, RowsHaveNameCountsAndDescription) {
  CpuTableReader reader;
  CpuTableRow row;
  reader.start(
      "           CPU0       CPU2       \n"
      " 36:          0      62874 PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0\n"
      "LOC:      19131      25445   Local timer interrupts\n"
      "ERR:          3\n");
  EXPECT_THAT(reader.cpus(), ElementsAre(0u, 2u));
  ASSERT_TRUE(reader.next(row));
  EXPECT_EQ(row.name, "36");
  EXPECT_THAT(row.counts, ElementsAre(Value(0), Value(62874)));
  EXPECT_EQ(row.description, "PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0");
  ASSERT_TRUE(reader.next(row));
  EXPECT_EQ(row.name, "LOC");
  ASSERT_TRUE(reader.next(row));
  EXPECT_EQ(row.name, "ERR");
  EXPECT_THAT(row.counts, ElementsAre(Value(3)));
  EXPECT_FALSE(reader.next(row));
}

TEST(CpuTable, RubbishKeepsItsColumn) {
  CpuTableReader reader;
  CpuTableRow row;
  reader.start("CPU0 CPU1 CPU2\nno colon here\nHI: 1 N/A 3\n");
  ASSERT_TRUE(reader.next(row));
  EXPECT_THAT(row.counts, ElementsAre(Value(1), Value(), Value(3)));
}

TEST(CpuTable, RowCutShortIsNotThere) {
  CpuTableReader reader;
  CpuTableRow row;
  reader.start("CPU0 CPU1\nHI: 1 2\nTIMER: 71");
  ASSERT_TRUE(reader.next(row));
  EXPECT_FALSE(reader.next(row));
}

const ParserCase kFuzzed("proc/interrupts", [](std::string_view text) {
  CpuTableReader reader;
  reader.start(text);
  for (CpuTableRow row; reader.next(row);) {
    require(row.counts.size() <= reader.cpus().size());
    if (is_device_row(row.name)) classify_irq(row.description);
    std::string group;
    queue_group_of(row.description, group);
    require(group.size() <= row.description.size());
  }
});

}  // namespace
}  // namespace reveal::procfs
