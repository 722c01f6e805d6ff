// The times that reports' findings are about, which `reveal downsample` keeps as they were
// recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "report/saved_report.h"
#include "retention/wall_spans.h"

namespace reveal::cli {

// Kept before a finding and after it: what led to it, and whether it was over.
inline constexpr std::int64_t kEvidenceMargin_ns = 30'000'000'000;

// Returns the spans of the report's findings, each with its margins.
std::vector<retention::WallSpan> finding_spans(const report::SavedReport& report);

// Returns the spans of all these reports, in order, those that touch as one. Fails if any of them
// cannot be read: what is evidence cannot be told then, and taking it for none would cost what
// there is.
base::Result<std::vector<retention::WallSpan>> load_finding_spans(
    const std::vector<std::filesystem::path>& reports);

}  // namespace reveal::cli
