#include "cli/finding_spans.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "base/whole_file.h"
#include "cli/saved_report.h"

namespace reveal::cli {

using base::Result;

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
  return joined(std::move(all));
}

std::vector<WallSpan> joined(std::vector<WallSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const WallSpan& a, const WallSpan& b) { return a.begin_ns < b.begin_ns; });
  std::vector<WallSpan> out;
  for (const WallSpan& span : spans) {
    if (!out.empty() && span.begin_ns <= out.back().end_ns) {
      out.back().end_ns = std::max(out.back().end_ns, span.end_ns);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

std::optional<std::size_t> span_of(const std::vector<WallSpan>& spans, std::int64_t wall_ns) {
  const auto after =
      std::upper_bound(spans.begin(), spans.end(), wall_ns,
                       [](std::int64_t ns, const WallSpan& span) { return ns < span.begin_ns; });
  if (after == spans.begin() || wall_ns > std::prev(after)->end_ns) return std::nullopt;
  return static_cast<std::size_t>(after - spans.begin() - 1);
}

}  // namespace reveal::cli
