// Stretches of a job's course in which it does less than its usual, whatever the reason.
#pragma once

#include <cstddef>
#include <vector>

#include "work/job_rate.h"

namespace reveal::work {

inline constexpr double kStandstill = 0.05;          // a lower rate is none
inline constexpr std::size_t kFewestSlowBlocks = 3;  // of a slowdown

// Blocks first to last, all slow; blocks without a rate may lie between.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t known = 0;
  double mean = 0;
  bool stands_still = false;
};

// Returns the runs of blocks below `limit`. A block without a rate neither begins nor ends one, nor
// does a single block that is above.
std::vector<Stretch> below(const JobRate& job, double limit);

// Returns the stretches that are lower than the usual by `fall` in two blocks or more, as long as
// each goes on.
std::vector<Stretch> lower_by(const JobRate& job, double fall);

// Returns what a stretch is without those parts in which the job stands still for long: it has a
// start or an end in it.
std::vector<Stretch> without_standstills(const JobRate& job, const Stretch& stretch);

}  // namespace reveal::work
