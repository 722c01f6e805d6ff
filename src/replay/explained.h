// How a finding of a recording came about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/config.h"
#include "store/segment_reader.h"

namespace reveal::replay {

struct Explained {
  std::string text;                   // step by step, as report::explanation() has it
  std::vector<store::Damage> damage;  // of the recording
};

// Explains the finding at that place of the report, counted from 0. Fails as find_again(), and if
// there is no such finding.
base::Result<Explained> explained(const std::string& directory, pipeline::PipelineConfig config,
                                  std::size_t finding);

}  // namespace reveal::replay
