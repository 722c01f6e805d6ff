// How far each of several hosts is from the others in one channel.
#pragma once

#include <span>
#include <vector>

#include "fleet/quantity.h"
#include "fleet/resolution.h"

namespace reveal::study {

// The samples of a channel of one host.
struct SampleLevel {
  double median = 0;
  double mad = 0;   // median absolute deviation from it, unscaled
  double low = 0;   // 5th percentile
  double high = 0;  // 95th percentile
};

// REQUIRES: at least one sample, and none of them NaN.
SampleLevel level_of(std::vector<double> samples);

struct PeerDistance {
  double peers_median = 0;  // of the other hosts' medians
  double distance = 0;      // of the host's median from it, in spreads of the peers; at least 0
};

// Returns the distances by host. The spread is the largest of three, none of which a single odd
// peer can move far: how far peers lie from one another (1.4826 times the median absolute deviation
// of their medians), how much a peer moves (1.4826 times the median of their own deviations), and
// the smallest difference that is worth a word (fleet::resolution()). REQUIRES: two levels or more.
std::vector<PeerDistance> peer_distances(std::span<const SampleLevel> hosts,
                                         const fleet::Quantity& quantity,
                                         const fleet::Surroundings& around);

}  // namespace reveal::study
