// The numbers of perf_event_attr with which the kernel counts an event.
// https://man7.org/linux/man-pages/man2/perf_event_open.2.html
#pragma once

#include <cstdint>

namespace reveal::perf {

struct EventCode {
  std::uint32_t type = 0;    // perf_event_attr::type, the number of a PMU
  std::uint64_t config = 0;  // perf_event_attr::config, and so on
  std::uint64_t config1 = 0;
  std::uint64_t config2 = 0;
  std::uint64_t config3 = 0;
  // Above 0 for events that the hardware counts only while it samples (Intel's load latency): such
  // a counter is opened with the longest period, and its samples go nowhere.
  std::uint8_t precise = 0;
  friend bool operator==(const EventCode&, const EventCode&) = default;
};

}  // namespace reveal::perf
