// How a finding that an agent kept came about.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace reveal::agent {

// Explains the finding in that folder, step by step, from its frames and what the judge knew. Fails
// as load_kept_finding(), and if the frames cannot be read.
base::Result<std::string> explained(const std::filesystem::path& folder);

// The same of the finding of that name below `findings`. Fails with kAbsent if there is none.
base::Result<std::string> explained(const std::filesystem::path& findings, const std::string& id);

}  // namespace reveal::agent
