#include "procfs/schedstat.h"

#include <limits>

namespace reveal::procfs {
namespace {

constexpr std::string_view kCpu = "cpu";
constexpr std::size_t kNumbers = 9;

bool parse_core(std::string_view key, WordCursor& words, CoreSchedule& core) {
  const Value cpu = parse_u64(key.substr(kCpu.size()));
  if (!cpu || *cpu > std::numeric_limits<std::uint32_t>::max()) return false;
  core.cpu = static_cast<std::uint32_t>(*cpu);
  std::array<Value, kNumbers> numbers;
  for (Value& number : numbers) {
    if (!words.next(number)) return false;
  }
  core.yields = numbers[0];
  core.run_ns = numbers[6];
  core.wait_ns = numbers[7];
  core.timeslices = numbers[8];
  return true;
}

bool is_known(Value version) {
  return version && *version >= kOldestSchedstat && *version <= kNewestSchedstat;
}

}  // namespace

void parse_schedstat(std::string_view text, Schedstat& out) {
  out.version = std::nullopt;
  out.cores.clear();
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("domain")) continue;  // most of the text
    WordCursor words(line);
    std::string_view key;
    if (!words.next(key)) continue;
    if (key == "version") words.next(out.version);
    CoreSchedule core;
    if (is_known(out.version) && key.starts_with(kCpu) && parse_core(key, words, core)) {
      out.cores.push_back(core);
    }
  }
}

}  // namespace reveal::procfs
