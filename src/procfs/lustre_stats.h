// stats of a Lustre client's mount, /sys/kernel/debug/lustre/llite/*/stats: a line an operation,
// and for those that move data the bytes that they moved, as the last of four numbers.
//
//   read_bytes                4061 samples [bytes] 4096 1048576 4253024256
//
// From Lustre 2.12 on a sum of squares may follow.
// https://wiki.lustre.org/Lustre_Monitoring_and_Statistics_Guide
#pragma once

#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct LustreStats {
  Value read_bytes;
  Value written_bytes;
};

LustreStats parse_lustre_stats(std::string_view text);

}  // namespace reveal::procfs
