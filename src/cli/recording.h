// What `reveal record` and `reveal run` say of a recording, and how they begin it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "record/recording.h"

namespace reveal::cli {

// Returns the recording that is asked for. Fails if the configuration or the plan of --select
// cannot be used, or an option makes no sense.
base::Result<record::RecordingOptions> recording_options(const std::filesystem::path& directory,
                                                         const RecordOptions& record,
                                                         const HostOptions& host,
                                                         const std::vector<std::string>& command);

// After Recording::start() has failed: takes the recording back and says why. If it was not for
// CMD, this process becomes CMD. Returns the exit status.
int end_early(record::Recording& recording, const base::Error& why,
              const std::vector<std::string>& command);

// Records to the end, tells how it goes and what came of it unless `quiet`, and what was lost in
// any case. `windows` says how many windows there are so far. Returns whether nothing was lost.
bool record_and_tell(record::Recording& recording, bool quiet,
                     const std::function<std::size_t()>& windows);

}  // namespace reveal::cli
