// The first core of /proc/cpuinfo: what the processor is. Its keys differ by architecture: x86 has
// "model name" and "microcode", ARM "CPU implementer" and "CPU part", RISC-V "isa", "uarch" and,
// since Linux 6.1, "mvendorid", "marchid" and "mimpid".
// https://docs.kernel.org/filesystems/proc.html#kernel-data
// https://docs.kernel.org/arch/riscv/uabi.html
#pragma once

#include <string>
#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct CpuInfo {
  // "AMD EPYC 7742 64-Core Processor", on ARM "implementer 0x41 part 0xd40", on RISC-V
  // "sifive,u74-mc mvendorid 0x489 marchid 0x8000000000000007 mimpid 0x4210427"
  std::string model;
  Value microcode;              // revision; x86 only
  std::string instruction_set;  // "rv64imafdc_zicntr_zicsr_zifencei_zihpm"; RISC-V only
};

// Overwrites `out` with what the first block of the text says; the rest may be cut off.
void parse_cpuinfo(std::string_view text, CpuInfo& out);

}  // namespace reveal::procfs
