#include "cli/finding_spans.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "base/whole_file.h"

namespace reveal::cli {
namespace {

using base::Result;
using nlohmann::json;

constexpr const char* kRemedy = "analyze the recording again, or give a report.json of Reveal";

// Far enough from the ends of 64 bits for margins.
constexpr std::int64_t kLatest_ns = std::int64_t{1} << 62;

std::optional<std::int64_t> moment(const json& finding, const char* key) {
  const auto time = finding.find(key);
  if (time == finding.end() || !time->is_object()) return std::nullopt;
  const auto ns = time->find("ns");
  if (ns == time->end() || !ns->is_number_integer()) return std::nullopt;
  const auto value = ns->get<std::int64_t>();
  if (value < -kLatest_ns || value > kLatest_ns) return std::nullopt;
  return value;
}

}  // namespace

Result<std::vector<WallSpan>> parse_finding_spans(std::string_view text, const std::string& where) {
  const auto bad = [&](const char* what) {
    return base::fail(base::ErrorKind::kCorrupt, what, where, kRemedy);
  };
  const json report = json::parse(text, nullptr, false);
  if (!report.is_object() || report.value("schema", json()) != "reveal.report") {
    return bad("is not a report of Reveal");
  }
  const auto findings = report.find("findings");
  if (findings == report.end() || !findings->is_array()) return bad("has no list of findings");
  std::vector<WallSpan> out;
  for (const json& finding : *findings) {
    const auto begin_ns = finding.is_object() ? moment(finding, "begin") : std::nullopt;
    const auto end_ns = finding.is_object() ? moment(finding, "end") : std::nullopt;
    if (!begin_ns || !end_ns || *end_ns < *begin_ns) return bad("has a finding without its times");
    out.push_back({*begin_ns - kEvidenceMargin_ns, *end_ns + kEvidenceMargin_ns});
  }
  return out;
}

Result<std::vector<WallSpan>> load_finding_spans(
    const std::vector<std::filesystem::path>& reports) {
  std::vector<WallSpan> all;
  for (const auto& path : reports) {
    const auto text = base::read_whole_file(path, "report");
    if (!text) return tl::make_unexpected(text.error());
    const auto spans = parse_finding_spans(*text, path.string());
    if (!spans) return tl::make_unexpected(spans.error());
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
