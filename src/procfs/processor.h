// Which processor this is, from /proc/cpuinfo: the three values by which x86 vendors number their
// event tables, and the three numbers of RISC-V's firmware that Linux assigns tables by
// (since 6.1). Arm's text has other keys, and gives nothing here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reveal::procfs {

struct Processor {
  std::string vendor;        // "GenuineIntel"; on RISC-V mvendorid as it is written, "0x489"
  std::uint64_t family = 0;  // on RISC-V marchid
  std::uint64_t model = 0;   // on RISC-V mimpid
};

// Returns what the text says of the first core; nothing if one of the three is missing.
std::optional<Processor> parse_processor(std::string_view cpuinfo);

}  // namespace reveal::procfs
