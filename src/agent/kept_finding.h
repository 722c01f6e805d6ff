// A finding as its folder has it: finding.json, verdict.json and evidence/. It is explained from
// these alone, so the same is said of it however much of the recording has gone since, and wherever
// the folder is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agent/finding_verdict.h"
#include "agent/logged_finding.h"
#include "base/result.h"

namespace reveal::agent {

struct KeptFinding {
  std::filesystem::path folder;
  LoggedFinding finding;
  FindingVerdict verdict;
  std::optional<std::string> evidence_gone;  // since when the frames are not kept any more

  // The recording of the frames around it.
  std::filesystem::path evidence() const { return folder / "evidence"; }
};

// Returns whether the folder is one of a finding.
bool is_finding_folder(const std::filesystem::path& folder);

// Returns the folder of the finding of that name below `findings`. Fails with kUsage if there is
// none.
base::Result<std::filesystem::path> find_folder(const std::filesystem::path& findings,
                                                const std::string& id);

// Reads the folder. Fails with kTooLittle, saying why, if what explains the finding is not there
// (yet), and as load_finding() and load_verdict() do.
base::Result<KeptFinding> load_kept_finding(const std::filesystem::path& folder);

// Returns how the finding came about, step by step as report::explanation() has it. `samples` are
// those of the verdict's channel by tick of its window, NaN if there is none; none if the frames
// went. Says which figures can be computed again from what was kept, and which are those that the
// judge had.
std::string explanation(const KeptFinding& kept, const std::vector<double>& samples);

}  // namespace reveal::agent
