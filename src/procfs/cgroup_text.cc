#include "procfs/cgroup_text.h"

namespace reveal::procfs {

Value parse_numa_node(std::string_view word) {
  if (!word.starts_with('N')) return std::nullopt;
  const Value node = parse_u64(word.substr(1));
  return node && *node <= kMaxNumaNode ? node : std::nullopt;
}

std::optional<CpuQuota> parse_cpu_max(std::string_view text) {
  LineCursor lines(text);
  std::string_view line;
  if (!lines.next(line)) return std::nullopt;
  WordCursor words(line);
  Value quota;
  Value period;
  if (!words.next(quota) || !words.next(period) || !quota || !period) return std::nullopt;
  if (*period == 0) return std::nullopt;
  return CpuQuota{*quota, *period};
}

Value parse_single(std::string_view text) {
  LineCursor lines(text);
  std::string_view line;
  if (!lines.next(line)) return std::nullopt;
  return parse_u64(line);
}

}  // namespace reveal::procfs
