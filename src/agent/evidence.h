// The evidence of a finding, kept apart from the recording, which retention shortens: all frames
// around it, as they were recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "agent/logged_finding.h"
#include "base/result.h"

namespace reveal::agent {

// What is kept of a finding that goes on for long, with the margin before it.
inline constexpr std::int64_t kLongest_ns = 600'000'000'000;

// Where it is in the finding's folder.
inline constexpr const char* kEvidenceFolder = "evidence";

struct EvidenceLimits {
  std::uint64_t max_bytes = 0;       // that it may take, while it is written, too; 0: any number
  std::uint64_t min_free_bytes = 0;  // left to the host's other programs
};

// Copies the frames of `recording` from retention::kEvidenceMargin_ns before the finding to as
// much after it, or its first minutes, or as many as there is room for, into FOLDER/evidence: a
// recording of its own. Nothing happens if that is there, or was there and went. Fails as
// keep_stretch() does; then it is not there.
base::Result<void> pin_evidence(const std::filesystem::path& recording,
                                const std::filesystem::path& folder, const LoggedFinding& finding,
                                const EvidenceLimits& limits);

// Notes in a finding's folder that there is no evidence any more, or that there was no room for
// it, as of that wall time. What cannot be written stays unsaid.
void note_evidence_gone(const std::filesystem::path& folder, std::int64_t now_ns);

// Returns since when there is none, as text; nothing if nobody has noted that.
std::optional<std::string> evidence_gone_since(const std::filesystem::path& folder);

}  // namespace reveal::agent
