// The history of a finished run, judged as `reveal analyze` judges it.
#pragma once

#include "base/result.h"
#include "live/history.h"
#include "pipeline/pipeline.h"

namespace reveal::live {

// Returns the history of what `pipeline` has taken in, whose channels and features it refers to. A
// run that is too short to be judged has windows that are not, and trouble. REQUIRES: it was made
// with PipelineConfig::channel_shares.
base::Result<History> history_of(pipeline::Pipeline& pipeline);

}  // namespace reveal::live
