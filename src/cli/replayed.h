// A recording, or a part of it, replayed along the one path.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "exchange/filtered_source.h"
#include "pipeline/pipeline.h"

namespace reveal::cli {

// Returns what has taken in all frames, ready to be analysed; says on the standard error what of
// the recording is damaged.
base::Result<std::unique_ptr<pipeline::Pipeline>> replayed(const std::string& directory,
                                                           pipeline::PipelineConfig config,
                                                           const exchange::Part& part = {});

}  // namespace reveal::cli
