#include "study/labels.h"

#include <string>

namespace reveal::study {
namespace {

using RowOfWindow = std::map<std::uint64_t, std::size_t>;

void add_evidence(const report::Report& report, const attribute::FlaggedWindow& window,
                  std::size_t row, LabeledWindows& out) {
  for (const auto& detector : window.detectors) {
    for (const auto& evidence : detector.evidence) {
      const auto& metric = report.channel_table->metric(evidence.key.channel);
      const std::string subsystem(model::to_string(metric.subsystem));
      out.rows[{LabelKind::kSubsystem, subsystem}].insert(row);
      out.rows[{LabelKind::kMetric, std::string(metric.name)}].insert(row);
      out.subsystem.emplace(metric.name, metric.subsystem);
    }
  }
}

void add_findings(const report::Report& report, const std::vector<attribute::Finding>& findings,
                  std::string_view state, const RowOfWindow& row_of, LabeledWindows& out) {
  for (const auto& finding : findings) {
    const bool slow = state == kInFinding && finding.harm && finding.harm->slow;
    for (const auto& window : finding.windows) {
      const std::size_t row = row_of.at(window.span.id.value());
      out.rows[{LabelKind::kState, std::string(state)}].insert(row);
      if (slow) out.rows[{LabelKind::kState, std::string(kSlowJob)}].insert(row);
      add_evidence(report, window, row, out);
    }
  }
}

}  // namespace

void LabeledWindows::add(const report::Report& report) {
  RowOfWindow row_of;
  for (std::size_t i = 0; i < report.windows.size(); ++i) {
    row_of[report.windows[i].id.value()] = count + i;
    if (report::agreement(report, i) < report.configuration.min_agreement) continue;
    rows[{LabelKind::kState, std::string(kFlagged)}].insert(count + i);
  }
  add_findings(report, report.findings, kInFinding, row_of, *this);
  add_findings(report, report.changes, kInChange, row_of, *this);
  add_findings(report, report.low_confidence, kLowConfidence, row_of, *this);
  count += report.windows.size();
}

std::vector<double> LabeledWindows::flags(const Label& label) const {
  std::vector<double> out(count, 0);
  const auto found = rows.find(label);
  if (found == rows.end()) return out;
  for (const std::size_t row : found->second) out[row] = 1;
  return out;
}

}  // namespace reveal::study
