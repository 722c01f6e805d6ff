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

std::size_t count_cpu_list(std::string_view text) {
  std::size_t count = 0;
  text = text.substr(0, text.find('\n'));
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto range = text.substr(0, comma);
    const auto dash = range.find('-');
    const Value first = parse_u64(range.substr(0, dash));
    const Value last = dash == std::string_view::npos ? first : parse_u64(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last > kMaxListedCpu) return 0;
    count += static_cast<std::size_t>(*last - *first + 1);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return count;
}

}  // namespace reveal::procfs
