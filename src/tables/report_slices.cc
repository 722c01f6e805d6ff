#include "tables/report_slices.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reveal::tables {
namespace {

using exchange::Slice;
using nlohmann::ordered_json;
using report::SavedDetector;
using report::SavedFinding;
using report::SavedReport;
using Slices = std::vector<Slice>;

// Flagged windows of one detector that overlap or touch.
struct WindowRun {
  report::SavedWindow first;
  report::SavedWindow last;
  std::uint64_t windows = 1;
  std::optional<double> highest;
};

ordered_json number(std::optional<double> value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json evidence_of(const SavedFinding& finding) {
  ordered_json out = ordered_json::array();
  for (const auto& item : finding.evidence) {
    out.push_back({{"metric", item.channel},
                   {"feature", item.feature},
                   {"observed", number(item.observed)},
                   {"usual", number(item.baseline_median)},
                   {"unit", item.unit}});
  }
  return out;
}

ordered_json shares_of(const SavedFinding& finding) {
  ordered_json out = ordered_json::object();
  for (std::size_t i = 0; i < finding.subsystem_shares.size(); ++i) {
    out[std::string(model::to_string(static_cast<model::Subsystem>(i)))] =
        finding.subsystem_shares[i];
  }
  return out;
}

Slice slice_of(const SavedFinding& finding) {
  const std::string subsystem(model::to_string(finding.subsystem));
  const ordered_json args = {{"subsystem", subsystem},
                             {"agreement", finding.agreement},
                             {"detectors", finding.detectors},
                             {"subsystem_shares", shares_of(finding)},
                             {"first_window", finding.first_window},
                             {"last_window", finding.last_window},
                             {"evidence", evidence_of(finding)}};
  return {"findings: " + subsystem, finding.claim, finding.begin_ns, finding.end_ns, args.dump()};
}

Slices slices_of_findings(const SavedReport& report) {
  Slices out;
  for (const auto& finding : report.findings) out.push_back(slice_of(finding));
  std::stable_sort(out.begin(), out.end(), [](const Slice& a, const Slice& b) {
    return std::tie(a.row, a.begin_ns) < std::tie(b.row, b.begin_ns);
  });
  return out;
}

std::vector<WindowRun> joined_windows(const SavedReport& report, const SavedDetector& detector) {
  std::vector<WindowRun> out;
  for (const std::size_t place : detector.flagged) {
    const auto& window = report.windows[place];
    const auto score = detector.scores[place];
    if (out.empty() || window.begin_ns > out.back().last.begin_ns + report.window_ns) {
      out.push_back({window, window, 1, score});
      continue;
    }
    WindowRun& run = out.back();
    run.last = window;
    run.highest = std::max(run.highest, score);
    ++run.windows;
  }
  return out;
}

Slice slice_of(const WindowRun& run, const SavedDetector& detector, std::int64_t length_ns) {
  const ordered_json args = {{"detector", detector.name},
                             {"windows", run.windows},
                             {"first_window", run.first.id},
                             {"last_window", run.last.id},
                             {"highest_score", number(run.highest)},
                             {"contamination_limit", number(detector.contamination_limit)}};
  const auto name = run.windows == 1 ? fmt::format("window {}", run.first.id)
                                     : fmt::format("windows {}-{}", run.first.id, run.last.id);
  return {"flagged by " + detector.label, name, run.first.begin_ns, run.last.begin_ns + length_ns,
          args.dump()};
}

}  // namespace

Slices report_slices(const SavedReport& report) {
  Slices out = slices_of_findings(report);
  for (const auto& detector : report.detectors) {
    for (const auto& run : joined_windows(report, detector)) {
      out.push_back(slice_of(run, detector, report.window_ns));
    }
  }
  return out;
}

}  // namespace reveal::tables
