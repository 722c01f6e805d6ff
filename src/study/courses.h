// Several runs of a workload side by side: the course of a channel in each, on one time axis.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/metric.h"
#include "study/series.h"

namespace reveal::study {

// The courses of one channel, in units of its standard deviation over all of them.
struct Courses {
  std::string channel;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  std::vector<std::vector<double>> runs;  // of one length, means of as many ticks each
};

struct AlignedRuns {
  std::vector<Courses> channels;  // that all runs have, and that vary
  std::size_t points = 0;         // of a course
  double point_seconds = 0;
  std::size_t not_in_all = 0;  // channels of the first run that another lacks
};

// Cuts all runs to the shortest one, from their first frame on, and takes means of equally many
// ticks, so that there are at most `most` points. Fails with kUsage if the intervals differ, and
// with kTooLittle if there are fewer than two runs or `least` points. REQUIRES: least <= most.
base::Result<AlignedRuns> align(std::span<const Series> runs, std::size_t least, std::size_t most);

// Returns, point by point, the median of the courses, but for the one of that place (if there is
// such a place). REQUIRES: another one.
std::vector<double> median_course(const Courses& courses, std::size_t without);

}  // namespace reveal::study
