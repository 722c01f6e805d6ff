// Events that are counted and read together: one perf group, one read() for all of its counters.
//
// A group's counters are on the hardware together or not at all, so one pair of times scales them
// all. Events are opened one by one, and one that the kernel refuses costs only itself. A read
// crosses to the core that owns the counters, so it costs an interrupt there: the fewer groups, the
// better.
//
// If others use the same counters, the kernel lets groups take turns. What a group would have
// counted meanwhile is extrapolated from each interval between two reads by itself, so that counts
// only grow, and each interval's rate is the one that was measured in it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "perf/event_code.h"
#include "perf/scaled_count.h"

namespace reveal::perf {

struct GroupOptions {
  bool stopped = false;  // counts nothing until resume()
  int cgroup_fd = -1;    // of a control group's folder: counts its tasks only
};

class EventGroup {
 public:
  // Opens the events on the core for all tasks. Fails if no event could be opened; the failure is
  // that of the first. An event refused beside others that opened is told by refusals().
  static base::Result<EventGroup> open(std::uint32_t cpu, std::span<const EventCode> events,
                                       GroupOptions options = {});

  // Overwrites `counts`, by event; nothing for an event that was refused, and for all if the group
  // was wanted but never ran since the last read. Fails with kIo if the core is gone. REQUIRES:
  // counts.size() is the number of events opened with.
  base::Result<void> read(std::span<ScaledCount> counts);

  // Start and stop counting; counts stay. Failure shows in the next read.
  void resume();
  void stop();

  // Return how long the group was to count, and how long it did, as of the last read.
  std::uint64_t enabled_ns() const { return enabled_ns_; }
  std::uint64_t running_ns() const { return running_ns_; }

  // Returns why an event was refused: its errno, 0 if it was opened.
  std::span<const int> refusals() const { return refusals_; }

 private:
  EventGroup() = default;

  std::vector<base::UniqueFd> fds_;    // the first one leads
  std::vector<std::size_t> event_of_;  // counter in the group -> event
  std::vector<int> refusals_;          // by event
  std::vector<std::uint64_t> buffer_;  // header of 3 words, then one per counter
  std::vector<std::uint64_t> last_;    // raw count at the last read, by counter
  std::vector<std::uint64_t> total_;   // scaled count so far, by counter
  std::uint64_t enabled_ns_ = 0;
  std::uint64_t running_ns_ = 0;
};

// Returns the failure to open an event with its remedy, by the errno of perf_event_open().
base::Error refusal(int errno_value, std::string_view event);

}  // namespace reveal::perf
