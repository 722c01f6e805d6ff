// The evidence of a finding as one file, for whoever cannot read the agent's folder.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace reveal::agent {

// No evidence of ten minutes comes near.
inline constexpr std::size_t kMostEvidenceBytes = std::size_t{64} << 20;

// Returns a tar (POSIX.1-1988, ustar) of the recording that was kept of a finding, in a folder of
// its name; `findings` has the folders of all. Fails with kAbsent if there is no such finding or
// nothing is kept of it yet, and with kUsage if that is too much for one answer.
base::Result<std::string> evidence_archive(const std::filesystem::path& findings,
                                           const std::string& id);

}  // namespace reveal::agent
