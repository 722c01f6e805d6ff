// Notices jumps of the realtime clock: a user or an NTP daemon set it, or the machine slept. Ticks
// run on the monotonic clock and are not disturbed, but wall times after the jump mean something
// else than before, so the recording notes it.
//
// Slewing is not a jump: it moves both clocks by the same amount (man 2 clock_gettime,
// CLOCK_MONOTONIC).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace reveal::collect {

// The clocks at one moment, in ns.
struct ClockReading {
  std::int64_t wall = 0;
  std::int64_t mono = 0;
  std::int64_t boot = 0;   // CLOCK_BOOTTIME: as mono, but goes on while the machine sleeps
  std::int64_t doubt = 0;  // how far apart the clocks may have been read
};

ClockReading read_clocks();

class ClockWatch {
 public:
  // A jump of less is not told from a reading that was interrupted.
  static constexpr std::int64_t kSmallestJumpNs = 2'000'000;

  // Compares with the reading before. Returns by how much the realtime clock jumped, and how much
  // of that the machine slept, or nothing.
  struct Jump {
    std::int64_t by_ns;
    std::int64_t slept_ns;
  };
  std::optional<Jump> check(const ClockReading& now);

 private:
  std::optional<ClockReading> last_;
};

// Says it: "was set back by 3600.000 s".
std::string to_text(const ClockWatch::Jump& jump);

}  // namespace reveal::collect
