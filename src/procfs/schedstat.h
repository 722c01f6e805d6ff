// /proc/schedstat: what each core's run queue has been through.
// https://docs.kernel.org/scheduler/sched-stats.html
//
//   version 15
//   timestamp 4295317921
//   cpu0 0 0 0 0 0 0 1173950131528 53264890 4721
//   domain0 ...
//
// The lines of cores are the same nine numbers in versions 15 (Linux 2.6.38) to 17 (6.14); only
// domains differ. Another version may mean something else by the same column: it has no cores here.
// Numbers 7 to 9 always count; the others need kernel.sched_schedstats=1 and are 0 without.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

inline constexpr std::uint64_t kOldestSchedstat = 15;
inline constexpr std::uint64_t kNewestSchedstat = 17;

struct CoreSchedule {
  std::uint32_t cpu = 0;
  Value yields;      // calls of sched_yield()
  Value run_ns;      // time in which tasks ran
  Value wait_ns;     // time that runnable tasks waited, all added up
  Value timeslices;  // times that a task was given the core
};

struct Schedstat {
  Value version;
  std::vector<CoreSchedule> cores;  // those online, in the order of the file
};

// Overwrites `out` with what the text says, keeping its memory.
void parse_schedstat(std::string_view text, Schedstat& out);

}  // namespace reveal::procfs
