#include "retention/rollup_axis.h"

namespace reveal::retention {

// A rollup of a rollup begins where that one's first tick does: both round the same start down, and
// the coarser interval is a multiple of the finer one.
RollupAxis::RollupAxis(const model::RunFacts& fine, std::int64_t interval_ns)
    : fine_ns_(fine.interval_ns), interval_ns_(interval_ns) {
  const std::int64_t start_ns = fine.start_wall_ns - fine.start_wall_ns % fine_ns_;
  phase_ns_ = start_ns % interval_ns;
  if (phase_ns_ < 0) phase_ns_ += interval_ns;
}

// In 64 bits for 292 years of a run, whatever its interval.
std::uint64_t RollupAxis::tick_of(std::uint64_t fine_sequence) const {
  const auto fine_ns = static_cast<std::uint64_t>(fine_ns_);
  const auto ns = fine_sequence * fine_ns + static_cast<std::uint64_t>(phase_ns_);
  return ns / static_cast<std::uint64_t>(interval_ns_);
}

}  // namespace reveal::retention
