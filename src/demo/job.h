// The job of a demonstration: two processes that work in steps, as the ranks of a training do. In
// each step a rank computes, stores a little on disk, and exchanges data with the other over TCP,
// so a step waits for whatever is slow.
#pragma once

#include <chrono>

#include "base/result.h"

namespace reveal::demo {

// Runs the job for so long, in the current folder. Nothing is left of it, however it ends. Fails if
// a process, a socket or a file cannot be had, or if a rank ends early.
base::Result<void> run_job(std::chrono::seconds length);

}  // namespace reveal::demo
