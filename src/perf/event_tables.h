// The vendors' names of events, encoded by libpfm4's tables: one table a processor generation.
//
// libpfm4 knows processors by itself, but not those that are newer than it and count as an older
// one does. So the generation is chosen here, from the numbers that /proc/cpuinfo shows, and a
// processor that is not in the list has no table: its events are those of the kernel and of sysfs.
// https://perfmon2.sourceforge.net/
#pragma once

#include <string_view>

#include "base/result.h"
#include "perf/event_code.h"
#include "procfs/processor.h"

namespace reveal::perf {

// Returns libpfm4's name of the processor's table: "skx", "amd64_fam19h_zen3"; or a name by which
// rows of RISC-V's table ask for a core: "u74", "p550", "c900". Empty if none is right.
std::string_view event_table_of(const procfs::Processor& processor);

// Returns the code of an event in a table, for all privilege levels: ("skx",
// "CYCLE_ACTIVITY:STALLS_L3_MISS"). Fails with kAbsent for a name that the table has not, and for
// any name if libpfm4 is not installed.
base::Result<EventCode> encode_in_table(std::string_view table, std::string_view event);

}  // namespace reveal::perf
