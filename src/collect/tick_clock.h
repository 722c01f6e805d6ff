// The ticks of a run on CLOCK_MONOTONIC: tick n is at start + n * interval, whatever the reading of
// earlier ticks took, so the error never adds up. Ticks that were slept through are skipped and
// counted; they are never made up for by a burst.
//
// The start is where the UTC time is a multiple of the interval, so that hosts whose clocks agree
// read at the same moments.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace reveal::collect {

class TickClock {
 public:
  // `last_tick`: none for no end. `stop_fd`: becomes readable to end the run; -1 for none.
  TickClock(std::chrono::nanoseconds interval, std::optional<std::uint64_t> last_tick, int stop_fd);

  // Waits for the next tick and returns its number, or nothing after the last one or a stop. The
  // first call starts the clock: it waits for the next multiple of the interval, and returns 0.
  std::optional<std::uint64_t> wait();

  // From now on a stop is not heard: only the last tick ends the run.
  void ignore_stop() { stop_fd_ = -1; }

  // Puts the ticks to come back on multiples of the interval, after the realtime clock was set: the
  // next one comes later by less than an interval, none is skipped.
  void align();

  // Returns how many ticks had passed unused when wait() came to them.
  std::uint64_t missed() const { return missed_; }

  // Returns when the tick that wait() returned last was due, on CLOCK_MONOTONIC.
  std::int64_t due_ns() const { return time_of(tick_); }

 private:
  std::int64_t time_of(std::uint64_t tick) const;
  std::optional<std::uint64_t> start();
  std::int64_t until_multiple(std::int64_t mono_ns) const;
  bool sleep_until(std::int64_t deadline_ns) const;

  std::int64_t interval_ns_;
  std::optional<std::uint64_t> last_tick_;
  int stop_fd_;
  std::optional<std::int64_t> start_ns_;
  std::uint64_t tick_ = 0;
  std::uint64_t missed_ = 0;
};

// Returns one of the clocks of clock_gettime(2) in ns.
std::int64_t clock_ns(int clock);

}  // namespace reveal::collect
