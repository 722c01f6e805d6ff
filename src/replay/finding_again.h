// A finding of a recording, found again with the features that it was found by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "pipeline/pipeline.h"
#include "replay/replayed.h"
#include "report/report.h"

namespace reveal::replay {

struct FindingAgain {
  ReplayResult run;         // its pipeline has the features
  report::Report report;    // of the run; or of the part that tells of the finding, if it has parts
  std::size_t finding = 0;  // its place in that report, counted from 0
  std::size_t number = 1;   // and in that of the run, counted from 1,
  std::size_t count = 0;    // which has so many
};

// Analyzes the recording as `reveal analyze` does, for its finding at that place, counted from 0. A
// run that is judged in parts is read twice. A place that there is not is returned as it is.
base::Result<FindingAgain> find_again(const std::filesystem::path& directory,
                                      pipeline::PipelineConfig config, std::size_t finding);

}  // namespace reveal::replay
