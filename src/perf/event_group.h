// The perf events of one core, read together: one perf group, one read() for all of its counters.
//
// A group's counters are on the hardware together or not at all, so one pair of times scales them
// all. Events are opened one by one, and one that the kernel refuses costs only itself. The read
// crosses to the core that owns the counters, so it costs an interrupt there: the fewer groups, the
// better.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "perf/events.h"
#include "perf/scaled_count.h"

namespace reveal::perf {

class EventGroup {
 public:
  // Opens the events on the core for all tasks. Fails where no event could be opened; the failure
  // is that of the first. An event refused beside others that opened is told by refusals().
  static base::Result<EventGroup> open(std::uint32_t cpu, std::span<const EventDescriptor> events);

  // Overwrites `counts`, by event; nothing for an event that was refused or never ran. Fails with
  // kIo where the core is gone. REQUIRES: counts.size() is the number of events opened with.
  base::Result<void> read(std::span<ScaledCount> counts);

  // Returns why an event was refused: its errno, 0 where it was opened.
  std::span<const int> refusals() const { return refusals_; }

 private:
  EventGroup() = default;

  std::vector<base::UniqueFd> fds_;    // the first one leads
  std::vector<std::size_t> event_of_;  // counter in the group -> event
  std::vector<int> refusals_;          // by event
  std::vector<std::uint64_t> buffer_;  // header of 3 words, then one per counter
};

// Returns the failure to open an event with its remedy, by the errno of perf_event_open().
base::Error refusal(int errno_value, const EventDescriptor& event);

}  // namespace reveal::perf
