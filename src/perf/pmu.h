// The PMUs of a host as /sys/bus/event_source/devices shows them: core, uncore boxes, power,
// C-states, msr. Their numbers and event names differ from kernel to kernel and from processor to
// processor, so everything is read from there and nothing is assumed.
// https://docs.kernel.org/admin-guide/abi-testing.html, sysfs-bus-event_source-devices
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "perf/event_code.h"
#include "procfs/host_root.h"
#include "procfs/pmu_text.h"

namespace reveal::perf {

struct PmuEvent {
  std::string terms;   // "event=0x04,umask=0x03"
  double scale = 1.0;  // one count is so many `unit`
  std::string unit;    // "Joules", "MiB"; mostly empty
};

struct Pmu {
  std::string name;  // "uncore_imc_0"
  std::uint32_t type = 0;
  std::vector<std::uint32_t> cpus;  // where it may be opened; empty: on every core
  std::map<std::string, procfs::PmuField, std::less<>> fields;
  std::map<std::string, PmuEvent, std::less<>> events;
};

struct EncodedEvent {
  EventCode code;
  double scale = 1.0;
  std::string unit;
};

// Returns the PMUs in the order of their names; one without a readable type is left out. Empty if
// there is no such folder.
std::vector<Pmu> read_pmus(const procfs::HostRoot& root);

// Returns the code of the terms, names of events in them replaced by their terms. A later term
// overrides an earlier one. Fails with kAbsent for a name that the PMU has not, and for a value
// that its field cannot hold.
base::Result<EncodedEvent> encode(const Pmu& pmu, std::string_view terms);

// Returns whether `name` is meant: the same, or with more behind an underscore and digits
// ("uncore_imc" means uncore_imc_0 and uncore_imc_11, not uncore_imc_free_running_0), or with
// anything behind a pattern that ends in a star.
bool is_meant(std::string_view pattern, std::string_view name);

}  // namespace reveal::perf
