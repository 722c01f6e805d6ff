// The tables of perf events. A new event is one row: its names for the kernel (event_names.h) and
// the words that its metric shows to people. Which of them this host has is found out by opening
// them; a row is never assumed to count.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "perf/event_code.h"

namespace reveal::perf {

// Events that only count together, in the order of their rows, the first one leading.
enum class Team : std::uint8_t {
  kNone,
  kTopdown,  // shares of the pipeline's slots, behind the slots event
  // Load latency: each alone, for they share one threshold register; on processors that have
  // mem-loads-aux, behind that.
  kLoadLatency,
};

// What one channel of the event stands for.
enum class Part : std::uint8_t { kCore, kPackage, kHost };

struct EventDescriptor {
  std::string_view source;  // "perf " and the event as people know it: "perf cpu-cycles"
  std::string_view metric;
  std::string_view label;
  std::string_view unit;
  std::string_view subsystem;  // "cpu" or "memory"
  std::string_view help;
  std::int16_t rank = 100;  // pruning priority, and the order in which events get counters
  // Names, see event_names.h; if empty, the code below is the kernel's own and the same
  // anywhere.
  std::string_view names{};
  EventCode code{};
  std::string_view alias{};  // where empty, what follows "perf " in the source
  std::string_view doc_url = "https://man7.org/linux/man-pages/man2/perf_event_open.2.html";
  bool rare = false;   // counts errors or rare events: summed over a window, not a rate
  double scale = 1.0;  // raw count times scale = value in `unit`
  bool sized = false;  // sysfs says how much a count is: values are f64 in `unit`
  Team team = Team::kNone;
  Part part = Part::kCore;
  bool companion = false;  // only of use beside others of its table
};

// Counted by the kernel itself, present on every machine, and never multiplexed.
std::span<const EventDescriptor> software_events();
// Of the core's own PMU: the base group, in order of importance, whose counters always run, and
// those that take turns on what counters are left.
std::span<const EventDescriptor> base_events();
std::span<const EventDescriptor> cache_events();
std::span<const EventDescriptor> intel_events();
std::span<const EventDescriptor> amd_events();
std::span<const EventDescriptor> arm_events();
std::span<const EventDescriptor> riscv_events();
// Of other PMUs, which share nothing with the core's.
std::span<const EventDescriptor> msr_events();
std::span<const EventDescriptor> cstate_events();
std::span<const EventDescriptor> power_events();
std::span<const EventDescriptor> uncore_events();
// Of control groups.
std::span<const EventDescriptor> cgroup_events();

// Returns the kernel's and tools' name of the event.
constexpr std::string_view alias_of(const EventDescriptor& event) {
  constexpr std::string_view kPrefix = "perf ";
  return event.alias.empty() ? event.source.substr(kPrefix.size()) : event.alias;
}

}  // namespace reveal::perf
