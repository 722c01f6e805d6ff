// Runs as a user names them, put together by the workloads that they are runs of.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace reveal::study {

struct Workload {
  std::string name;
  std::vector<std::string> runs;  // directories of recordings
};

// What --help says of the words that workloads_of() takes.
inline constexpr std::string_view kRunsHelp =
    "a recording; runs in one folder are runs of one workload, and NAME=DIR names another one";

// Returns the workloads in the order in which they are named. A word is a recording's directory,
// whose workload has the name of the folder that the directory is in, or NAME=DIR. A word whose
// first "=" comes after a "/" is a directory. Fails with kUsage if NAME or DIR is empty, or if a
// directory is named twice, in whatever way.
base::Result<std::vector<Workload>> workloads_of(std::span<const std::string> words);

// Returns "Workloads: bert (3 runs), vit (2 runs)."
std::string workloads_note(std::span<const Workload> workloads);

}  // namespace reveal::study
