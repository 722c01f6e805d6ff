// A recording, or a part of it, run through the pipeline.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "exchange/filtered_source.h"
#include "pipeline/pipeline.h"
#include "store/segment_reader.h"

namespace reveal::replay {

struct ReplayResult {
  std::unique_ptr<pipeline::Pipeline> pipeline;  // has taken in all frames; ready to analyze
  std::vector<store::Damage> damage;             // what of the recording could not be read
  std::uint64_t lost_at_end = 0;                 // frames that the recorder could not store
};

// Fails as ChosenFrames::open() and Pipeline do.
base::Result<ReplayResult> replay(const std::filesystem::path& directory,
                                  pipeline::PipelineConfig config, const exchange::Part& part = {});

}  // namespace reveal::replay
