#include "procfs/cpu_set.h"

#include <iterator>

#include <fmt/format.h>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

bool CpuSet::add_range(std::string_view range) {
  const auto dash = range.find('-');
  const Value first = parse_u64(range.substr(0, dash));
  const Value last = dash == std::string_view::npos ? first : parse_u64(range.substr(dash + 1));
  if (!first || !last || *first > *last || *last > kMaxListedCpu) return false;
  for (auto cpu = *first; cpu <= *last; ++cpu) cores_.set(cpu);
  return true;
}

bool CpuSet::assign(std::string_view list) {
  clear();
  while (!list.empty()) {
    const auto comma = list.find(',');
    const bool last = comma == std::string_view::npos;
    if (!add_range(list.substr(0, comma)) || (!last && comma + 1 == list.size())) {
      clear();
      return false;
    }
    list = last ? std::string_view() : list.substr(comma + 1);
  }
  return true;
}

void CpuSet::append_to(std::string& out) const {
  const char* separator = "";
  for (std::size_t cpu = cores_._Find_first(); cpu < cores_.size();) {
    std::size_t last = cpu;
    while (last + 1 < cores_.size() && cores_.test(last + 1)) ++last;
    fmt::format_to(std::back_inserter(out), "{}{}", separator, cpu);
    if (last > cpu) fmt::format_to(std::back_inserter(out), "-{}", last);
    separator = ",";
    cpu = cores_._Find_next(last);
  }
}

}  // namespace reveal::procfs
