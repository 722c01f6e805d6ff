#include "procfs/cpu_list.h"

#include "procfs/text_cursor.h"

namespace reveal::procfs {
namespace {

void add_range(std::string_view range, std::vector<std::uint32_t>& out) {
  const auto dash = range.find('-');
  const Value first = parse_u64(range.substr(0, dash));
  const Value last = dash == std::string_view::npos ? first : parse_u64(range.substr(dash + 1));
  if (!first || !last || *last > kMaxListedCpu) return;
  for (auto cpu = *first; cpu <= *last; ++cpu) out.push_back(static_cast<std::uint32_t>(cpu));
}

}  // namespace

std::vector<std::uint32_t> parse_cpu_list(std::string_view text) {
  std::vector<std::uint32_t> out;
  text = text.substr(0, text.find('\n'));
  while (!text.empty()) {
    const auto comma = text.find(',');
    add_range(text.substr(0, comma), out);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

}  // namespace reveal::procfs
