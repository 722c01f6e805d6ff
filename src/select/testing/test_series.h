// Runs for tests, given channel by channel.
#pragma once

#include <cstddef>
#include <vector>

#include "select/co_moments.h"

namespace reveal::select {

using Series = std::vector<std::vector<double>>;

// Returns what is known of channels with those samples. REQUIRES: all have the same length.
inline CoMoments co_moments(const Series& series) {
  CoMoments out;
  std::vector<double> row(series.size());
  const std::size_t ticks = series.empty() ? 0 : series.front().size();
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    for (std::size_t i = 0; i < series.size(); ++i) row[i] = series[i][tick];
    out.add(row);
  }
  out.settle();
  return out;
}

}  // namespace reveal::select
