#include "procfs/process.h"

#include <array>

namespace reveal::procfs {
namespace {

// Places in the line, as proc(5) numbers them. The name, which may hold anything, is the second.
constexpr std::size_t kFirstNumber = 4;
constexpr std::size_t kMajorFaults = 12;
constexpr std::size_t kUserTime = 14;
constexpr std::size_t kSystemTime = 15;
constexpr std::size_t kStartTime = 22;
constexpr std::size_t kResident = 24;

// Returns the part behind the first `:` if the line begins with that key.
Value value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  return parse_u64(line.substr(key.size()));
}

bool has_controller(std::string_view list, std::string_view controller) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    if (list.substr(0, comma) == controller) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      !text.ends_with('\n')) {
    return std::nullopt;
  }
  ProcessStat out;
  out.name = text.substr(open + 1, close - open - 1);
  text.remove_suffix(1);
  WordCursor words(text.substr(close + 1));
  std::string_view state;
  if (!words.next(state) || state.size() != 1) return std::nullopt;
  out.state = state.front();
  std::array<Value, kResident + 1> numbers;
  for (std::size_t place = kFirstNumber; place <= kResident; ++place) {
    if (!words.next(numbers[place])) return std::nullopt;
  }
  for (const auto place : {kMajorFaults, kUserTime, kSystemTime, kStartTime, kResident}) {
    if (!numbers[place]) return std::nullopt;
  }
  out.major_faults = *numbers[kMajorFaults];
  out.cpu_ticks = *numbers[kUserTime] + *numbers[kSystemTime];
  out.start_ticks = *numbers[kStartTime];
  out.resident_pages = *numbers[kResident];
  return out;
}

std::optional<ProcessIo> parse_process_io(std::string_view text) {
  Value read;
  Value written;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    if (const auto value = value_of(line, "read_bytes: ")) read = value;
    if (const auto value = value_of(line, "write_bytes: ")) written = value;
  }
  if (!read || !written) return std::nullopt;
  return ProcessIo{*read, *written};
}

std::string_view parse_process_cgroup(std::string_view text) {
  std::string_view out;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (has_controller(controllers, "cpuacct")) return path;
    if (controllers.empty()) out = path;
  }
  return out;
}

Value parse_namespace_link(std::string_view link, std::string_view kind) {
  if (!link.starts_with(kind)) return std::nullopt;
  link.remove_prefix(kind.size());
  if (!link.starts_with(":[") || !link.ends_with(']')) return std::nullopt;
  return parse_u64(link.substr(2, link.size() - 3));
}

}  // namespace reveal::procfs
