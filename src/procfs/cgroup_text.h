// The formats of the files of a control group, of version 1 and 2, where one line is more than a
// key and a number. https://docs.kernel.org/admin-guide/cgroup-v2.html#interface-files
//
//   io.stat (v2)                  8:16 rbytes=1459200 wbytes=314773504 rios=192 wios=353 dbytes=0
//   blkio.throttle.* (v1)         8:16 Read 1459200
//   memory.numa_stat (v2, bytes)  anon N0=1048576 N1=0
//   memory.numa_stat (v1, pages)  hierarchical_anon=256 N0=256 N1=0
//   rdma.current                  mlx5_0 hca_handle=2 hca_object=2000
//
// The readers hand out one entry at a time and keep nothing; names point into the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// Calls for_pair(name, key, value) for each "key=value" of each line whose first word is no such
// pair itself: io.stat, rdma.current, memory.numa_stat of version 2. Values that are not numbers
// ("max") are left out.
template <typename ForPair>
void for_nested_keys(std::string_view text, ForPair&& for_pair) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view name;
    if (!words.next(name) || name.find('=') != std::string_view::npos) continue;
    for (std::string_view word; words.next(word);) {
      const auto equals = word.find('=');
      if (equals == std::string_view::npos || equals == 0) continue;
      if (const Value value = parse_u64(word.substr(equals + 1))) {
        for_pair(name, word.substr(0, equals), *value);
      }
    }
  }
}

// Calls for_operation(device, operation, value) for each "8:16 Read 1459200".
template <typename ForOperation>
void for_blkio_operations(std::string_view text, ForOperation&& for_operation) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view device;
    std::string_view operation;
    Value value;
    if (!words.next(device) || !words.next(operation) || !words.next(value) || !value) continue;
    for_operation(device, operation, *value);
  }
}

// Returns the number of a node's word, "N12", or nothing if it is none or above kMaxNumaNode.
Value parse_numa_node(std::string_view word);
inline constexpr std::uint64_t kMaxNumaNode = 1023;  // the largest MAX_NUMNODES of any kernel

// Calls for_node(node, pages) for each node of the line of version 1 that begins with "<key>=".
template <typename ForNode>
void for_v1_numa_nodes(std::string_view text, std::string_view key, ForNode&& for_node) {
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    if (!line.starts_with(key) || line.substr(key.size(), 1) != "=") continue;
    WordCursor words(line);
    std::string_view word;
    words.next(word);
    while (words.next(word)) {
      const auto equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      const Value node = parse_numa_node(word.substr(0, equals));
      const Value pages = parse_u64(word.substr(equals + 1));
      if (node && pages) for_node(*node, *pages);
    }
  }
}

// "cpu.max": what the group may use of every period, "150000 100000". Nothing if it is unlimited
// ("max 100000") or no sense.
struct CpuQuota {
  std::uint64_t quota_us;
  std::uint64_t period_us;
};
std::optional<CpuQuota> parse_cpu_max(std::string_view text);

// Returns the single number that the text is, with its newline; nothing for "max" and "-1".
Value parse_single(std::string_view text);

}  // namespace reveal::procfs
