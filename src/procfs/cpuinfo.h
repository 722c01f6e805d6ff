// The first core of /proc/cpuinfo: what the processor is. Its keys differ by architecture: x86 has
// "model name" and "microcode", ARM "CPU implementer" and "CPU part".
// https://docs.kernel.org/filesystems/proc.html#kernel-data
#pragma once

#include <string>
#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct CpuInfo {
  std::string model;  // "AMD EPYC 7742 64-Core Processor", on ARM "implementer 0x41 part 0xd40"
  Value microcode;    // revision; x86 only
};

// Overwrites `out` with what the first block of the text says; the rest may be cut off.
void parse_cpuinfo(std::string_view text, CpuInfo& out);

}  // namespace reveal::procfs
