// /proc/buddyinfo: how many free blocks of each size every memory zone has; how broken up free
// memory is.
// https://docs.kernel.org/filesystems/proc.html#kernel-data
//
//   Node 0, zone   Normal  12775   9256   4994   3084   1091    529    172     58     27     47 779
//
// The n-th number counts blocks of 2^n pages, from n = 0. There are 11 of them on most kernels,
// more or fewer on some (CONFIG_ARCH_FORCE_MAX_ORDER).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

inline constexpr std::size_t kMaxOrders = 24;

struct ZoneBlocks {
  std::uint32_t node = 0;
  std::string_view zone;                           // "Normal"; points into the text
  std::array<std::uint64_t, kMaxOrders> blocks{};  // by order
  std::size_t orders = 0;                          // how many the line has
};

// Overwrites `out` with the zones in the order of the file. Returns false if a line was cut or has
// another shape: a sum over the zones of a node would then lack one.
bool parse_buddyinfo(std::string_view text, std::vector<ZoneBlocks>& out);

}  // namespace reveal::procfs
