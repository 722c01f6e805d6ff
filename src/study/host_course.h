// The recordings of several hosts on one time axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/channel_table.h"
#include "study/series.h"

namespace reveal::study {

// Where recordings lie on the axis, which begins at 0 with the first of them. All times are ns.
struct CommonTime {
  bool by_clock = false;                // else each begins at 0
  std::vector<std::int64_t> begins_ns;  // of the recordings
  std::int64_t begin_ns = 0;            // of the time that all have
  std::int64_t end_ns = 0;
};

// Aligns by the clocks if the recordings have at least half the time of the shortest one in common,
// else by their own begins, for as long as the shortest one. REQUIRES: at least one.
CommonTime common_time(std::span<const Run> runs);

// Returns, by channel, the samples of a recording in the time that all have. REQUIRES: `place` is
// its place among the runs that `time` is of.
std::vector<std::vector<double>> samples_in(const Series& series, const CommonTime& time,
                                            std::size_t place);

// Some ticks of a channel in a row.
struct CoursePoint {
  double seconds = 0;  // on the axis, the mean of the samples' times
  double mean = 0;     // NaN, like those below, if the recorder missed all of these ticks
  double low = 0;
  double high = 0;
};

// Returns the course of a channel in at most 200 points of equally many ticks. Ticks
// without a sample, as of a slow source, make no point. REQUIRES: as of samples_in().
std::vector<CoursePoint> course_of(const Series& series, model::ChannelId channel,
                                   std::int64_t begin_ns);

}  // namespace reveal::study
