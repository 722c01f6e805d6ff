// A host's mark: how far it lies from its peers now, as one byte of the map of the fleet.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace reveal::fleet_site {

using Mark = std::uint8_t;

inline constexpr Mark kNotCompared = 0;  // it is silent, or cannot be compared
inline constexpr Mark kLeastMark = 1;    // nothing is known yet, or less than 1/39 of a limit
inline constexpr Mark kAtLimit = 128;
inline constexpr Mark kMostMark = 254;  // 38 limits or more
inline constexpr Mark kSlowMark = 255;  // the host is slow now
inline constexpr double kMarksOfTwice = 24;

// Returns the mark of a host whose farthest quantity lies so many limits from its peers: each
// kMarksOfTwice more are twice as far.
inline Mark mark_of(double distance) {
  if (!(distance > 0)) return kLeastMark;
  const double mark = kAtLimit + kMarksOfTwice * std::log2(distance);
  return static_cast<Mark>(std::lround(std::clamp<double>(mark, kLeastMark, kMostMark)));
}

// Returns the distance of a mark from kLeastMark to kMostMark, in limits.
inline double distance_of(Mark mark) {
  return std::exp2((static_cast<double>(mark) - kAtLimit) / kMarksOfTwice);
}

}  // namespace reveal::fleet_site
