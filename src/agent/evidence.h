// The evidence of a finding, kept apart from the recording, which retention shortens: all frames
// around it, as they were recorded.
#pragma once

#include <cstdint>
#include <filesystem>

#include "agent/logged_finding.h"
#include "base/result.h"

namespace reveal::agent {

// What is kept of a finding that goes on for long, with the margin before it.
inline constexpr std::int64_t kLongest_ns = 600'000'000'000;

// Copies the frames of `recording` from retention::kEvidenceMargin_ns before the finding to as
// much after it, or its first minutes, into FOLDER/evidence: a recording of its own. Nothing
// happens if that is there. Fails as keep_stretch() does; then it is not there.
base::Result<void> pin_evidence(const std::filesystem::path& recording,
                                const std::filesystem::path& folder, const LoggedFinding& finding);

}  // namespace reveal::agent
