// The table of perf events that are counted per core. A new event is one row in events.cc: its
// numbers for the kernel and the words that its metric shows to people.
// https://man7.org/linux/man-pages/man2/perf_event_open.2.html
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace reveal::perf {

struct EventDescriptor {
  std::uint32_t type;       // perf_event_attr::type
  std::uint64_t config;     // perf_event_attr::config
  std::string_view event;   // the kernel's own name, as `perf list` prints it
  std::string_view source;  // "perf " and that name, where the metric comes from
  std::string_view metric;
  std::string_view label;
  std::string_view unit;
  std::string_view subsystem;  // "cpu" or "memory"
  bool rare;                   // counts errors or rare events: summed over a window, not a rate
  double scale;                // raw count times scale = value in `unit`
  std::int16_t rank;           // pruning priority
  std::string_view help;
};

// Returns the software events: counted by the kernel itself, present on every machine, and never
// multiplexed.
std::span<const EventDescriptor> software_events();

}  // namespace reveal::perf
