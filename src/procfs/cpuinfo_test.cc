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

// As a VisionFive 2 has it with Linux 6.6.
constexpr std::string_view kVisionFive =
    "processor\t: 0\nhart\t\t: 2\nisa\t\t: rv64imafdc_zicntr_zicsr_zifencei_zihpm_zba_zbb\n"
    "mmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\nmvendorid\t: 0x489\n"
    "marchid\t\t: 0x8000000000000007\nmimpid\t\t: 0x4210427\n\n"
    "processor\t: 1\nhart\t\t: 1\nisa\t\t: rv64\n";

TEST(CpuInfo, RiscvHasAnArchitectureNumbersAndAnInstructionSet) {
  CpuInfo info;
  parse_cpuinfo(kVisionFive, info);
  EXPECT_EQ(info.model,
            "sifive,u74-mc mvendorid 0x489 marchid 0x8000000000000007 mimpid 0x4210427");
  EXPECT_EQ(info.instruction_set, "rv64imafdc_zicntr_zicsr_zifencei_zihpm_zba_zbb");
  EXPECT_EQ(info.microcode, Value());
  parse_cpuinfo("processor\t: 0\nmodel name\t: a name\n\n", info);
  EXPECT_EQ(info.model, "a name");
  EXPECT_EQ(info.instruction_set, "");
}

// SpacemiT's kernel has a name; an emulated machine has numbers alone, and Linux 5.15 has none.
TEST(CpuInfo, RiscvWithANameOrWithout) {
  const auto model_in = [](std::string_view text) {
    CpuInfo info;
    parse_cpuinfo(text, info);
    return info.model;
  };
  EXPECT_EQ(
      model_in("processor\t: 0\nhart\t\t: 0\nmodel name\t: Spacemit(R) X60\nisa\t\t: rv64imafdcv\n"
               "mmu\t\t: sv39\nmvendorid\t: 0x710\nmarchid\t\t: 0x8000000058000001\n"
               "mimpid\t\t: 0x1000000049772200\n\n"),
      "Spacemit(R) X60 mvendorid 0x710 marchid 0x8000000058000001 mimpid 0x1000000049772200");
  EXPECT_EQ(model_in("processor\t: 0\nhart\t\t: 0\nisa\t\t: rv64imafdch_sstc\nmmu\t\t: sv57\n"
                     "mvendorid\t: 0x0\nmarchid\t\t: 0x7015e\nmimpid\t\t: 0x7015e\n\n"),
            "mvendorid 0x0 marchid 0x7015e mimpid 0x7015e");
  EXPECT_EQ(model_in("processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\n"
                     "isa-ext\t\t: \nuarch\t\t: sifive,u74-mc\n\n"),
            "sifive,u74-mc");
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
