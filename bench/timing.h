// How the benchmarks time what they compare.
#pragma once

#include <time.h>

#include "collect/tick_clock.h"

namespace reveal::bench {

// Returns the CPU time that the work takes of the calling thread, in microseconds.
template <typename Work>
double cpu_us(Work work) {
  const auto begin = collect::clock_ns(CLOCK_THREAD_CPUTIME_ID);
  work();
  return 1e-3 * static_cast<double>(collect::clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
}

}  // namespace reveal::bench
