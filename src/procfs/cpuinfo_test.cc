#include "procfs/cpuinfo.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

TEST(CpuInfo, FirstCoreIsRead) {
  CpuInfo info;
  parse_cpuinfo(
      "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Platinum 8480C\nmicrocode\t: 0x2b000571\n"
      "power management:\n\nprocessor\t: 1\nmodel name\t: another\nmicrocode\t: 0x1\n",
      info);
  EXPECT_EQ(info.model, "Intel(R) Xeon(R) Platinum 8480C");
  EXPECT_EQ(info.microcode, Value(0x2b000571));
}

TEST(CpuInfo, ArmHasNumbersForANameAndNoMicrocode) {
  CpuInfo info;
  parse_cpuinfo("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n\n", info);
  EXPECT_EQ(info.model, "implementer 0x41 part 0xd4f");
  EXPECT_EQ(info.microcode, Value());
}

TEST(CpuInfo, WhatIsBrokenIsNotSaid) {
  CpuInfo info;
  for (const char* text : {"", "\n", "microcode\t: 0x2b", "microcode\t: 2b\n", "microcode\n",
                           "microcode\t: 0xzz\n", "microcode\t:\n"}) {
    info.microcode = 1;
    parse_cpuinfo(text, info);
    EXPECT_EQ(info.microcode, Value()) << text;
  }
}

const ParserCase kFuzzed("proc/cpuinfo", [](std::string_view text) {
  CpuInfo info;
  parse_cpuinfo(text, info);
  require(info.model.size() <= 8 * text.size() + 16);
});

}  // namespace
}  // namespace reveal::procfs
