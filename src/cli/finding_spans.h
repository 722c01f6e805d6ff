// The times that a report's findings are about, which `reveal downsample` keeps as they were
// recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace reveal::cli {

// Kept before a finding and after it: what led to it, and whether it was over.
inline constexpr std::int64_t kEvidenceMargin_ns = 30'000'000'000;

// Wall time, ns since the epoch; both ends belong to it.
struct WallSpan {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  friend bool operator==(const WallSpan&, const WallSpan&) = default;
};

// Reads the spans of the findings in the text of a report.json, each with its margins. `where`
// names it in errors. Fails with kCorrupt where the text is not such a report: what is evidence
// cannot be told then, and taking it for none would cost what there is.
base::Result<std::vector<WallSpan>> parse_finding_spans(std::string_view text,
                                                        const std::string& where);

// Returns the spans of all these reports, in order, those that touch as one.
base::Result<std::vector<WallSpan>> load_finding_spans(
    const std::vector<std::filesystem::path>& reports);

// Orders spans and makes those that touch one.
std::vector<WallSpan> joined(std::vector<WallSpan> spans);

// Returns which of the spans, joined as above, a moment is in.
std::optional<std::size_t> span_of(const std::vector<WallSpan>& spans, std::int64_t wall_ns);

}  // namespace reveal::cli
