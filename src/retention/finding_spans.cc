#include "retention/finding_spans.h"

#include <utility>

namespace reveal::retention {

using base::Result;
std::vector<WallSpan> finding_spans(const report::SavedReport& report) {
  std::vector<WallSpan> out;
  for (const auto& finding : report.findings) {
    out.push_back({finding.begin_ns - kEvidenceMargin_ns, finding.end_ns + kEvidenceMargin_ns});
  }
  return out;
}

Result<std::vector<WallSpan>> load_finding_spans(
    const std::vector<std::filesystem::path>& reports) {
  std::vector<WallSpan> all;
  for (const auto& path : reports) {
    const auto report = report::load_report(path);
    if (!report) return base::pass(report);
    const auto spans = finding_spans(*report);
    all.insert(all.end(), spans.begin(), spans.end());
  }
  return joined(std::move(all));
}

}  // namespace reveal::retention
