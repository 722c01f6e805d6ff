// /sys/fs/xfs/*/stats/stats: what one XFS file system did since it was mounted.
//
//   log 2000 80000 7 3000 2500
//   push_ail 9000 17 700 300 80 60 10 0 20 5
//   buf 10000 9000 8000 31 40 0 0 1000 20
//   xpc 4096000 8192000000 16384000000
//
// All but the line "xpc" are sums of 32 bits; "xpc" has 64. Linux 4.18 to 6.18 agree in these
// lines.
// https://docs.kernel.org/admin-guide/xfs.html
#pragma once

#include "procfs/placed_layout.h"

namespace reveal::procfs {

inline constexpr PlacedLine kXfsLines[] = {
    {"log", {{"writes", "blocks", "waits", "forces", "forced_sleeps"}}},
    {"push_ail", {{"reservations", "sleeps", "pushes"}}},
    {"buf", {{"gets", "creations", "locked_gets", "locked_waits", "busy_locked", "misses"}}},
    {"rw", {{"writes", "reads"}}},
    {"xpc", {{"converted", "written", "read"}}},
};

class XfsLayout : public PlacedLayout {
 public:
  explicit XfsLayout(const std::vector<std::string_view>& keys) : PlacedLayout(kXfsLines, keys) {}
};

}  // namespace reveal::procfs
