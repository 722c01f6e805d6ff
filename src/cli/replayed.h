// Recordings replayed for a command; damage is reported on stderr.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "exchange/filtered_source.h"
#include "pipeline/pipeline.h"
#include "store/segment_reader.h"

namespace reveal::cli {

// Tells which bytes could not be used, up to a few places. REQUIRES: all frames have been read.
void tell_damage(const std::vector<store::Damage>& damage);

// Returns what has taken in all frames, ready to be analyzed; tells the damage.
base::Result<std::unique_ptr<pipeline::Pipeline>> replayed(const std::string& directory,
                                                           pipeline::PipelineConfig config,
                                                           const exchange::Part& part = {});

}  // namespace reveal::cli
