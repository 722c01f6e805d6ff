#include "live/whole_run.h"

#include <utility>
#include <vector>

#include "attribute/shares.h"
#include "detect/window_scorer.h"
#include "report/report.h"

namespace reveal::live {
namespace {

JudgedWindow judged(const report::Report& report, std::size_t row) {
  JudgedWindow out;
  out.span = report.windows[row];
  out.judged = true;
  std::vector<double> scores;
  std::vector<double> limits;
  std::vector<int> votes;
  for (const auto& detector : report.detectors) {
    scores.push_back(detector.scores[row]);
    limits.push_back(detector.limits[row]);
    votes.push_back(detector.votes);
  }
  out.strength = detect::strength(scores, limits, votes, report.configuration.min_agreement);
  out.shares = attribute::subsystem_shares(*report.channel_table, report.channel_shares[row]);
  return out;
}

}  // namespace

base::Result<History> history_of(pipeline::Pipeline& pipeline) {
  History out;
  out.features = &pipeline.features();
  out.channels = &pipeline.channels();
  out.notes = &pipeline.notes();
  const auto report = pipeline.analyze();
  if (!report) {
    if (report.error().kind != base::ErrorKind::kTooLittle) return base::pass(report);
    out.trouble = report.error().message();
    out.not_judged = NotJudged{out.trouble, 0};
    for (std::size_t row = 0; row < out.features->row_count(); ++row) {
      out.windows.emplace_back().span = out.features->window(row);
    }
    if (!out.windows.empty()) {
      out.begin_ns = out.windows.front().span.begin_ns;
      out.end_ns = out.windows.back().span.end_ns;
      out.not_judged->since_ns = out.begin_ns;
    }
    return out;
  }
  out.host = report->facts.host;
  out.begin_ns = report->begin_ns;
  out.end_ns = report->end_ns;
  out.votes = report::all_votes(*report);
  for (std::size_t row = 0; row < report->windows.size(); ++row) {
    out.windows.push_back(judged(*report, row));
  }
  out.jobs = report->jobs;
  set_findings(out, report->findings);
  return out;
}

}  // namespace reveal::live
