// The distance from the others at which a host stands out among so few.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace reveal::fleet {

// The levels of a host's peers, one each.
struct PeerSpread {
  double median = 0;
  double limit = 0;  // a host farther from the median than this does not belong to them
};

// Returns the limit that a host like its peers passes in about one of a thousand quantities, if
// they are spread normally: the smaller of so many standard deviations, which are sharper, and so
// many median absolute deviations, which another outlier host does not blur. Of two peers in one of
// a hundred, and of three in one of five hundred, as they hardly tell their spread. 0 for a single
// peer, which tells nothing of it. REQUIRES: one peer or more, all finite.
PeerSpread peer_spread(std::span<const double> peers);

}  // namespace reveal::fleet
