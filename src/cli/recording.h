// Messages of `reveal record` and `reveal run` about a recording.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/recording.h"

namespace reveal::cli {

// After Recording::start() has failed: takes the recording back and says why. If it was not for
// CMD, this process becomes CMD. Returns the exit status.
int end_early(record::Recording& recording, const base::Error& why,
              const std::vector<std::string>& command);

// Records to the end, tells how it goes and what came of it unless `quiet`, and what was lost in
// any case. `windows` says how many windows there are so far. Returns whether nothing was lost.
bool record_and_tell(record::Recording& recording, bool quiet,
                     const std::function<std::size_t()>& windows);

}  // namespace reveal::cli
