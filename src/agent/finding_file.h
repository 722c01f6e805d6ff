// The files of findings: DIR/YEAR/MONTH/DAY/ID/finding.json and verdict.json, by the day (UTC) on
// which they began.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agent/logged_finding.h"
#include "base/result.h"

namespace reveal::agent {

// Returns the folder of a finding below `dir`.
std::filesystem::path folder_of(const std::filesystem::path& dir, const LoggedFinding& finding);

// Returns the folder of the finding of that name, if it is there.
std::optional<std::filesystem::path> folder_of(const std::filesystem::path& dir,
                                               const std::string& id);

// Return the files in a finding's folder: the finding, and what explains it (finding_verdict.h).
std::filesystem::path finding_file(const std::filesystem::path& folder);
std::filesystem::path verdict_file(const std::filesystem::path& folder);

// Writes its file anew with its checksum, all or nothing, and makes its folder; before it its
// verdict's, if that is known.
base::Result<void> save_finding(const std::filesystem::path& dir, const LoggedFinding& finding);

// Reads one file. Fails as base::read_whole_file() does, and with kCorrupt if its checksum is wrong
// (checked_json.h) or it is not the file of a finding.
base::Result<LoggedFinding> load_finding(const std::filesystem::path& file);

// What is there of a stretch of time.
struct SavedFindings {
  std::vector<LoggedFinding> findings;  // by begin
  std::vector<std::string> unreadable;  // a message each; the files stay
};

// Returns the findings that began on the days from that of `from_ns` to that of `to_ns`, which is
// at most a year later.
SavedFindings load_findings(const std::filesystem::path& dir, std::int64_t from_ns,
                            std::int64_t to_ns);

}  // namespace reveal::agent
