// The job of a demonstration: two processes that work in steps, as the ranks of a training do. In
// each step a rank computes, stores a little on disk, and exchanges data with the other over TCP,
// so a step waits for whatever is slow.
#pragma once

#include <chrono>
#include <filesystem>

#include "base/result.h"

namespace reveal::demo {

// Runs the job for so long, in the current folder. If `group` is not empty, it runs in this control
// group, and each rank also reads a part of 32 MiB of data in each step, all of it every eight
// steps. Nothing is left of it, however it ends. Fails if a process, a socket or a file cannot be
// had, or if a rank ends early.
base::Result<void> run_job(std::chrono::seconds length, const std::filesystem::path& group = {});

}  // namespace reveal::demo
