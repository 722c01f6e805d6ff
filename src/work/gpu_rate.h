// The work rate of a host's GPUs. Internal.
#pragma once

#include <optional>

#include "work/blocks.h"
#include "work/job_rate.h"

namespace reveal::work {

// Returns the rate of all GPUs that are used, as one job: how many cycles they are busy for, and
// what else falls when they wait (a GPU that waits for another in a collective says that it is
// busy: its power, its tensor cores and its links tell). Nothing if no GPU is used.
std::optional<JobRate> gpu_rate(const Blocks& blocks);

}  // namespace reveal::work
