// Copies frames from a source to a sink.
#pragma once

#include "base/result.h"
#include "model/frame.h"

namespace reveal::replay {

// Begins `sink`, writes all frames that `source` has left, and finishes it.
base::Result<void> copy_frames(model::FrameSource& source, model::FrameSink& sink);

}  // namespace reveal::replay
