// The times that reports' findings are about, which `reveal downsample` keeps as they were
// recorded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "retention/wall_spans.h"

namespace reveal::cli {

// Kept before a finding and after it: what led to it, and whether it was over.
inline constexpr std::int64_t kEvidenceMargin_ns = 30'000'000'000;

// Reads the spans of the findings in the text of a report.json, each with its margins. `where`
// names it in errors. Fails with kCorrupt where the text is not such a report: what is evidence
// cannot be told then, and taking it for none would cost what there is.
base::Result<std::vector<retention::WallSpan>> parse_finding_spans(std::string_view text,
                                                                   const std::string& where);

// Returns the spans of all these reports, in order, those that touch as one.
base::Result<std::vector<retention::WallSpan>> load_finding_spans(
    const std::vector<std::filesystem::path>& reports);

}  // namespace reveal::cli
