// Which counters count the same job. A second holds a whole number of its steps, give or take one,
// so all true counters of the steps go up and down together from one second to the next, by the
// same share; a timer does not, nor does another job's counter.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "work/counters.h"

namespace reveal::work {

// Below this share of its high level, that of nine tenths of the blocks, a job is not there.
inline constexpr double kActiveShare = 0.05;

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
  double quality = 0;                // more is better
  // The quantity of the seed is the job's; the others only tell where that is too high.
  bool seed_leads = false;
  // Quantities that count only in blocks in which another is far above its proportion, so that
  // somebody else takes part. Elsewhere a job that does something else would look slow by them.
  std::vector<Quantity> only_beside_others;
  std::vector<bool> is_alone;  // by block: it is known that nobody else takes part; may be shorter
};

// Returns whether all members count what one disk does. Such counters always agree, whoever reads.
bool is_storage_alone(std::span<const Series> series, const Agreement& agreement);

// How far the proportion of two counters of one job may stray: the median of its deviations from
// its own median, as a logarithm. The second is for counters that nobody else adds to: a disk's
// reads may grow smaller as memory gets fragmented, and are a job's all the same.
inline constexpr double kMostDistance = 0.06;
inline constexpr double kMostOwnDistance = 0.2;

// Returns the agreements of the series, the best first, no two of which move together: each is
// another job's. Two resources take part in each, or the network with two quantities, or a disk
// that is read for most of the run. REQUIRES: all levels are of one length.
std::vector<Agreement> agreements(std::span<const Series> series,
                                  double most_distance = kMostDistance);

// Returns how two courses' changes from one block to the next correlate, those aside in which one
// starts, ends or is not known; NaN if there are too few.
double correlation_of_changes(std::span<const double> one, std::span<const double> other);

}  // namespace reveal::work
