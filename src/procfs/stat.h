// /proc/stat: where each core's time went, and the host's totals of interrupts, switches and tasks.
// https://docs.kernel.org/filesystems/proc.html#miscellaneous-kernel-statistics-in-proc-stat
//
// Columns of a cpu line, in USER_HZ ticks, and the kernel that added them: user nice system idle
// (all), iowait irq softirq (2.6.0), steal (2.6.11), guest (2.6.24), guest_nice (2.6.33). A core
// that is offline has no line, so lines are told apart by their number and never by their place.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

inline constexpr std::size_t kCpuStateCount = 10;

using CpuTicks = std::array<Value, kCpuStateCount>;  // in the kernel's column order

struct CoreTicks {
  std::uint32_t cpu = 0;
  CpuTicks ticks;
};

struct ProcStat {
  CpuTicks host;
  std::vector<CoreTicks> cores;  // those online, in the order of the file
  Value intr;                    // interrupts serviced since boot, numbered or not
  Value ctxt;                    // context switches
  Value btime;                   // boot time, s since epoch
  Value processes;               // forks
  Value procs_running;           // tasks that run or could run
  Value procs_blocked;           // tasks that wait for I/O
  Value softirq;                 // softirqs serviced since boot
};

// Overwrites `out` with what the text says, keeping its memory.
void parse_stat(std::string_view text, ProcStat& out);

}  // namespace reveal::procfs
