// Where one host stands out among its peers, in one quantity.
//
// A host's level in a window is compared with the median of its peers' in the same window, so what
// the job does on all hosts is not a difference. The deviation must exceed a limit: the sum of the
// first two of these (a host may lie apart and move), but at least the third:
//   between peers  how far alike hosts lie from one another, over the whole time (spread.h)
//   in time        kLimit spreads of what the peers' deviations do from window to window
//   resolution     kLimit times what is worth a word (resolution.h)
// and the host stands out if it is beyond it, on the same side, window after window. Rare events
// are counted over the whole time as well: five errors in an hour are in no window for long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fleet/grid.h"
#include "fleet/matching.h"
#include "fleet/resolution.h"

namespace reveal::fleet {

// Deviations count from so many robust standard deviations on.
inline constexpr double kLimit = 5;
// Fewer events are chance.
inline constexpr double kFewestEvents = 5;
// More windows beyond the limit than within it, in the stretch that is told; and if a source is
// read more seldom, so many readings.
inline constexpr int kFewestBeyond = 6;
inline constexpr double kFewestReadings = 3;
// Buckets a reading of a source that is read about every second, although a tick comes late now and
// then.
inline constexpr double kReadOften = 1.5;
// Beyond the limit for this share of all windows, or still so at the end for this long.
inline constexpr double kLastingShare = 0.5;
inline constexpr std::size_t kLastingWindows = 20;

struct Difference {
  std::size_t host = 0;
  Quantity quantity;
  bool is_total = false;  // rare events, counted over the whole time
  double observed = 0;    // median over the windows beyond the limit; or the number of events
  double peers = 0;       // the median of the peers in these windows
  double peers_low = 0;   // the lowest and the highest peer's median over all windows
  double peers_high = 0;
  std::size_t peer_count = 0;
  double limit = 0;          // the deviation from which on it counts
  double between_peers = 0;  // what it is the largest of
  double in_time = 0;
  double resolution = 0;
  double share = 0;           // of the host's windows: beyond the limit on that side
  std::int64_t since_ns = 0;  // the stretch in which it mostly is
  std::int64_t until_ns = 0;
  bool from_begin = false;  // the stretch begins with the comparison, and ends with it
  bool to_end = false;
  bool lasting = false;

  // Returns the deviation in units of the limit; 1 or more.
  double distance() const;
};

struct Judgment {
  std::vector<Difference> differences;
  bool moved = false;  // whether the quantity was anything but one and the same number
};

// Returns what stands out of one quantity. Of two hosts, each is the other's only peer, and the
// difference is told of the one with the higher level.
Judgment judge(const ComparedQuantity& compared, const Grid& grid, const Surroundings& around);

}  // namespace reveal::fleet
