// The one course that counters of a job have in common, and how far they disagree. Internal.
#pragma once

#include <span>
#include <vector>

#include "work/agreement.h"

namespace reveal::work {

struct CommonCourse {
  std::vector<double> rate;  // by block, in proportion to the job's usual; NaN if not known
  double block_error = 0;    // as JobRate's
  double bias_error = 0;
};

// Returns the common course. A neighbor only adds to a counter: where one quantity is lower than
// the others, by more than it usually differs from them, that one is taken. Of a disk alone all
// quantities have the neighbor's part in them: where they differ, the rate is not known.
CommonCourse common_course(std::span<const Series> series, const Agreement& agreement);

// Returns the run's own good level: the highest that it kept for a quarter of a minute. NaN for no
// rate at all.
double good_level(std::span<const double> rate);

// Returns the rate's standard deviation about its own course over several blocks.
double calm_deviation(std::span<const double> rate);

}  // namespace reveal::work
