// The ticks of a rollup: which of them each tick of the finer recording belongs to. Both recordings
// know the same run facts, so whoever downsamples any part of a run, whenever, divides it alike.
//
// A rollup's ticks begin at whole multiples of its interval in UTC as the recorder's clock stood
// when the run began, to within the time that the recorder needed to open its sources. From then on
// they follow the recorder's ticks: a clock that is set moves none of them.
#pragma once

#include <cstdint>

#include "model/frame.h"

namespace reveal::retention {

class RollupAxis {
 public:
  // REQUIRES: interval_ns > fine.interval_ns > 0.
  RollupAxis(const model::RunFacts& fine, std::int64_t interval_ns);

  // Returns the tick of the rollup to which a tick of the finer recording belongs.
  std::uint64_t tick_of(std::uint64_t fine_sequence) const;

 private:
  std::int64_t fine_ns_;
  std::int64_t interval_ns_;
  std::int64_t phase_ns_;  // from the begin of the rollup's tick 0 to the finer tick 0
};

}  // namespace reveal::retention
