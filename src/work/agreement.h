// Which counters count the same job. A second holds a whole number of its steps, give or take one,
// so all true counters of the steps go up and down together from one second to the next, by the
// same share; a timer does not, nor does another job's counter.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "work/counters.h"

namespace reveal::work {

// A candidate over the run.
struct Series {
  std::size_t candidate = 0;  // its index in Blocks::candidates()
  Quantity quantity = Quantity::kPages;
  std::vector<double> level;  // by block; NaN if there is none
};

// Counters that agree, in proportion to their seed, the one to which the others are nearest.
struct Agreement {
  std::size_t seed = 0;              // index of a series
  std::vector<std::size_t> members;  // ascending, the seed among them
  std::vector<double> log_ratio;     // by member: the median of log(member / seed)
  std::vector<double> distance;      // by member: the median of how far its block is from that
  double quality = 0;                // more is better
};

// Returns the best agreement in which two resources take part, or the network with two quantities;
// nothing if there is none. REQUIRES: all levels are of one length.
std::optional<Agreement> best_agreement(std::span<const Series> series);

}  // namespace reveal::work
