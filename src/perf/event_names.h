// Finds what a row of the event tables asks for on this host. A row gives names in order of
// preference, divided by blanks; each is one of
//
//   cpu/mem-loads,ldlat=256/pp      terms of a PMU, as `perf -e` takes them; `p`s ask for
//   precision.
//                                   One name stands for all boxes: uncore_imc/cas_count_read/
//   skx:uncore_upi/event=2/         the same, on processors of this event table only
//   CYCLE_ACTIVITY:STALLS_L3_MISS   the vendor's own name, by the processor's event table
//
// What is found can be asked for; whether the kernel counts it shows when it is opened.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "perf/pmu.h"

namespace reveal::perf {

struct FoundEvent {
  const Pmu* pmu = nullptr;  // nullptr: the core's own PMU, by the vendor's name
  EncodedEvent event;
  std::string name;  // the one of the names that was found
};

class EventNames {
 public:
  // Reads the PMUs and the processor of a host.
  explicit EventNames(const procfs::HostRoot& root);
  EventNames(std::vector<Pmu> pmus, std::string table)
      : pmus_(std::move(pmus)), table_(std::move(table)) {}

  const std::vector<Pmu>& pmus() const { return pmus_; }
  std::string_view table() const { return table_; }

  // Returns the boxes of the first name that is known here; never empty. Fails with kAbsent.
  base::Result<std::vector<FoundEvent>> find(std::string_view names) const;

 private:
  base::Result<std::vector<FoundEvent>> find_one(std::string_view name) const;
  base::Result<std::vector<FoundEvent>> find_terms(std::string_view name) const;

  std::vector<Pmu> pmus_;
  std::string table_;
};

}  // namespace reveal::perf
