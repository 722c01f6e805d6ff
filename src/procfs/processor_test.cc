// Not fuzzed here: pmu_text_test.cc's case gives it any text.
#include "procfs/processor.h"

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

TEST(Processor, IsThatOfTheFirstCore) {
  const auto cpu = parse_processor(
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
      "model name\t: Intel(R) Xeon(R) Platinum 8480+\n\nprocessor\t: 1\nmodel\t: 7\n");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->vendor, "GenuineIntel");
  EXPECT_EQ(cpu->family, 6u);
  EXPECT_EQ(cpu->model, 143u);
}

TEST(Processor, OnRiscvIsWhatTheFirmwareKnows) {
  const auto cpu = parse_processor(
      "processor\t: 0\nhart\t\t: 2\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\n"
      "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\nmimpid\t\t: 0x4210427\n\n");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->vendor, "0x489");
  EXPECT_EQ(cpu->family, 0x8000000000000007u);
  EXPECT_EQ(cpu->model, 0x4210427u);
}

TEST(Processor, OtherTextsSayNothing) {
  EXPECT_FALSE(parse_processor(""));
  EXPECT_FALSE(parse_processor("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"));
  EXPECT_FALSE(parse_processor("vendor_id : x\ncpu family : 6\nmodel : 1"));  // cut short
  EXPECT_FALSE(parse_processor("vendor_id : x\ncpu family : six\nmodel : 1\n"));
  EXPECT_FALSE(parse_processor("processor : 0\nisa : rv64imafdc\nuarch : sifive,u74-mc\n"));
  EXPECT_FALSE(parse_processor("mvendorid : 0x489\nmarchid : 7\nmimpid : 0x0\n"));
}

}  // namespace
}  // namespace reveal::procfs
