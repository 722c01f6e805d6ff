#include "cli/finding_spans.h"

#include <nlohmann/json.hpp>

#include "base/whole_file.h"
#include "cli/saved_report.h"

namespace reveal::cli {

using base::Result;
using retention::WallSpan;

Result<std::vector<WallSpan>> parse_finding_spans(std::string_view text, const std::string& where) {
  const auto report = parse_report(text, where);
  if (!report) return base::pass(report);
  std::vector<WallSpan> out;
  for (const auto& finding : report->at("findings")) {
    out.push_back({begin_of(finding) - kEvidenceMargin_ns, end_of(finding) + kEvidenceMargin_ns});
  }
  return out;
}

Result<std::vector<WallSpan>> load_finding_spans(
    const std::vector<std::filesystem::path>& reports) {
  std::vector<WallSpan> all;
  for (const auto& path : reports) {
    const auto text = base::read_whole_file(path, "report");
    if (!text) return base::pass(text);
    const auto spans = parse_finding_spans(*text, path.string());
    if (!spans) return base::pass(spans);
    all.insert(all.end(), spans->begin(), spans->end());
  }
  return retention::joined(std::move(all));
}

}  // namespace reveal::cli
