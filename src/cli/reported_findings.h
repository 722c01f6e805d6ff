// The findings that a report.json tells of.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "live/history.h"

namespace reveal::cli {

// Reads the findings in the text of a report.json. `where` names it in errors. Fails with kCorrupt
// where the text is not such a report.
base::Result<std::vector<live::KnownFinding>> parse_reported_findings(std::string_view text,
                                                                      const std::string& where);

// Fails with kAbsent where there is no such file.
base::Result<std::vector<live::KnownFinding>> load_reported_findings(
    const std::filesystem::path& report);

}  // namespace reveal::cli
