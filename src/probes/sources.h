// The probes of a user's configuration, as sources of a recording beside the collectors.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/source.h"
#include "probes/options.h"

namespace reveal::probes {

// Fails with kUsage if a metric has the name of one of Reveal's own or of another, or if StatsD's
// address is not one of the loopback interface.
base::Result<void> check(const Options& options);

// Returns a source for each kind of probe that the options ask for: none, if there are no probes.
// Fails as check() does.
base::Result<std::vector<collect::SourceSpec>> sources(const Options& options);

}  // namespace reveal::probes
