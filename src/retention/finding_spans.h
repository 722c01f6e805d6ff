// The times that reports' findings are about, which `reveal downsample` keeps as they were
// recorded.
#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "report/saved_report.h"
#include "retention/wall_spans.h"

namespace reveal::retention {

// Returns the spans of the report's findings, each with kEvidenceMargin_ns around it.
std::vector<WallSpan> finding_spans(const report::SavedReport& report);

// Returns the spans of all these reports, in order, those that touch as one. Fails if any of them
// cannot be read: what is evidence cannot be told then, and taking it for none would cost what
// there is.
base::Result<std::vector<WallSpan>> load_finding_spans(
    const std::vector<std::filesystem::path>& reports);

}  // namespace reveal::retention
