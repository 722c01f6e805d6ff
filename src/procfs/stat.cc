#include "procfs/stat.h"

#include <limits>

namespace reveal::procfs {
namespace {

constexpr std::string_view kCpu = "cpu";

struct HostLine {
  std::string_view key;
  Value ProcStat::*member;
};

constexpr HostLine kHostLines[] = {
    {"intr", &ProcStat::intr},
    {"ctxt", &ProcStat::ctxt},
    {"btime", &ProcStat::btime},
    {"processes", &ProcStat::processes},
    {"procs_running", &ProcStat::procs_running},
    {"procs_blocked", &ProcStat::procs_blocked},
    {"softirq", &ProcStat::softirq},
};

CpuTicks ticks_of(WordCursor& words) {
  CpuTicks ticks;
  for (Value& state : ticks) {
    if (!words.next(state)) break;
  }
  return ticks;
}

void parse_cpu_line(std::string_view key, WordCursor& words, ProcStat& out) {
  if (key == kCpu) {
    out.host = ticks_of(words);
    return;
  }
  const Value cpu = parse_u64(key.substr(kCpu.size()));
  if (!cpu || *cpu > std::numeric_limits<std::uint32_t>::max()) return;
  out.cores.push_back({static_cast<std::uint32_t>(*cpu), ticks_of(words)});
}

void parse_host_line(std::string_view key, WordCursor& words, ProcStat& out) {
  for (const HostLine& line : kHostLines) {
    if (line.key == key) {
      words.next(out.*line.member);
      return;
    }
  }
}

void clear(ProcStat& out) {
  auto cores = std::move(out.cores);
  cores.clear();
  out = ProcStat{};
  out.cores = std::move(cores);
}

}  // namespace

void parse_stat(std::string_view text, ProcStat& out) {
  clear(out);
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view key;
    if (!words.next(key)) continue;
    if (key.starts_with(kCpu)) {
      parse_cpu_line(key, words, out);
    } else {
      parse_host_line(key, words, out);
    }
  }
}

}  // namespace reveal::procfs
