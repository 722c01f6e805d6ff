// The findings that a report.json tells of.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "top/history.h"

namespace reveal::cli {

// Reads the findings in the text of a report.json. `where` names it in errors. Fails with kCorrupt
// where the text is not such a report.
base::Result<std::vector<top::KnownFinding>> parse_reported_findings(std::string_view text,
                                                                     const std::string& where);

// Fails with kAbsent where there is no such file.
base::Result<std::vector<top::KnownFinding>> load_reported_findings(
    const std::filesystem::path& report);

}  // namespace reveal::cli
