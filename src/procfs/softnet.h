// /proc/net/softnet_stat: the kernel's receive path, a line a core, in hexadecimal without a
// header. https://docs.kernel.org/networking/scaling.html#rps-flow-limit
//
//   000b96c8 00000000 00000000 0 0 0 0 0 0 00000000 00000000 00000000 00000000 00000000 00000000
//
// By column: 1 packets processed, 2 dropped, 3 times that a budget ran out, 10 wake-ups from
// another core (Linux 2.6.35), 11 drops by the flow limit (3.11), 12 packets waiting, 13 the core's
// number (both since 2020). Cores that are offline have no line, so a line's place is not its core:
// if column 13 is missing, the n-th line is the n-th core online. All are 32 bits wide.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

enum class SoftnetField : std::uint8_t {
  kProcessed,
  kDropped,
  kSqueezed,
  kReceivedRps,
  kFlowLimit,
  kBacklog,
};
inline constexpr std::size_t kSoftnetFieldCount = 6;

struct SoftnetCore {
  Value cpu;  // where the line says it
  std::array<Value, kSoftnetFieldCount> fields;

  Value operator[](SoftnetField field) const { return fields[static_cast<std::size_t>(field)]; }
};

// Overwrites `out` with one core a line, keeping its memory.
void parse_softnet(std::string_view text, std::vector<SoftnetCore>& out);

}  // namespace reveal::procfs
