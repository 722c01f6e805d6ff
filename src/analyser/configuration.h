// What reveal.toml and the flags ask of an analyser.
#pragma once

#include "analyser/analyser.h"
#include "base/result.h"
#include "settings/given.h"

namespace reveal::analyser {

// Returns what they ask for. If the flags say who the analyser is to the broker (by a user, an nkey
// or credentials), who the file is does not count: it may be that of this host's agent. Fails with
// kUsage, and the place of the setting, if one of them cannot be used.
base::Result<AnalyserOptions> options_of(const settings::Given& given);

// Fails likewise, and if a file that is named cannot be read, or anybody may read a secret.
base::Result<void> check_with_files(const settings::Given& given);

}  // namespace reveal::analyser
