// /proc/zoneinfo: how much of each memory zone is free, and the watermarks below which the kernel
// reclaims.
//
//   Node 0, zone   Normal
//     pages free     12345
//           boost    0
//           min      1024
//           low      2048
//           high     3072
//           spanned  8388608
//           present  8388608
//           managed  8212345
//           ...
//
// `boost` came with Linux 5.14 and `promo` with 5.18; lines are found by their names. Numbers are
// pages. Zones without memory have 0 everywhere.
// https://docs.kernel.org/admin-guide/sysctl/vm.html#min-free-kbytes
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct ZoneWatermarks {
  std::uint32_t node = 0;
  std::string_view zone{};  // "Normal"; points into the text
  Value free{};
  Value min{};   // below it only the kernel's urgent requests get memory
  Value low{};   // below it kswapd reclaims
  Value high{};  // up to it kswapd goes on
  Value managed{};
};

// Overwrites `out` with the zones in the order of the file.
void parse_zoneinfo(std::string_view text, std::vector<ZoneWatermarks>& out);

}  // namespace reveal::procfs
