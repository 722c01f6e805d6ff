// Makes the configuration of an analysis from the settings given: the method's settings, changed by
// them, with the baseline and the selection plan that they name loaded.
#pragma once

#include "base/result.h"
#include "pipeline/config.h"
#include "settings/given.h"

namespace reveal::pipeline {

// Returns all settings: those of the method that was asked for, changed by what was given.
settings::Settings settled(const settings::Given& given);

// Fails with kUsage if settings do not go together, and if a file that they name is not what it
// must be or cannot be read.
base::Result<PipelineConfig> configure(const settings::Given& given);

}  // namespace reveal::pipeline
