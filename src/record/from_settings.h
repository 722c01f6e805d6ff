// Makes the options of a recording from the settings given.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/poll_class.h"
#include "probes/options.h"
#include "procfs/host_root.h"
#include "record/recording.h"
#include "settings/settings.h"

namespace reveal::record {

// Returns what is read how often.
collect::PollPlan poll_plan_of(const settings::CollectSettings& settings);

// Returns the metrics of the user's own.
probes::Options probes_of(const settings::ProbeSettings& settings);

// Returns the recording of the host at `root` into `directory`, with `command`. Fails if the
// selection plan that the settings name cannot be used.
base::Result<RecordingOptions> recording_options(const settings::Settings& settings,
                                                 const procfs::HostRoot& root,
                                                 const std::filesystem::path& directory,
                                                 const std::vector<std::string>& command);

}  // namespace reveal::record
