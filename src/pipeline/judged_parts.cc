#include "pipeline/judged_parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "attribute/incidents.h"
#include "attribute/severity.h"
#include "stats/quantile.h"

namespace reveal::pipeline {
namespace {

using attribute::Finding;

std::uint64_t first_of(const Finding& finding) {
  return finding.windows.front().span.id.value();
}
std::uint64_t last_of(const Finding& finding) {
  return finding.windows.back().span.id.value();
}

std::vector<std::size_t> rows_of(const report::Report& part, const OwnWindows& own) {
  std::vector<std::size_t> out;
  for (std::size_t row = 0; row < part.windows.size(); ++row) {
    if (own.has(part.windows[row])) out.push_back(row);
  }
  return out;
}

// Returns the finding of the same subsystem that is seen in the same windows, or up to the window
// before.
Finding* same_as(const Finding& finding, std::span<Finding> before) {
  const auto it = std::find_if(before.rbegin(), before.rend(), [&](const Finding& one) {
    return one.subsystem() == finding.subsystem() && first_of(one) <= last_of(finding) &&
           first_of(finding) <= last_of(one) + 1;
  });
  return it == before.rend() ? nullptr : &*it;
}

// Adds that share of what was lost in another stretch.
void add_loss(const work::Loss& other, double share, work::Loss& loss) {
  const double known_s = share * other.known_s;
  const double all_s = loss.known_s + known_s;
  if (all_s > 0) {
    loss.mean_rate = (loss.mean_rate * loss.known_s + other.mean_rate * known_s) / all_s;
    loss.mean_error = std::max(loss.mean_error, other.mean_error);
  }
  loss.lost_s += share * other.lost_s;
  loss.lost_error_s += share * other.lost_error_s;
  loss.known_s = all_s;
}

// Makes a finding longer by the windows that the next part has of it. What that says of the windows
// that both have is not counted twice.
void extend(const Finding& next, Finding& finding) {
  const auto last = last_of(finding);
  const auto is_new = [&](const attribute::FlaggedWindow& one) {
    return one.span.id.value() > last;
  };
  const auto first_new = std::ranges::find_if(next.windows, is_new);
  const double share = static_cast<double>(std::distance(first_new, next.windows.end())) /
                       static_cast<double>(next.windows.size());
  finding.windows.insert(finding.windows.end(), first_new, next.windows.end());
  for (const auto detector : next.detectors) {
    if (std::ranges::find(finding.detectors, detector) == finding.detectors.end()) {
      finding.detectors.push_back(detector);
    }
  }
  finding.agreement = std::max(finding.agreement, next.agreement);
  finding.end_edge = next.end_edge;
  finding.missed_ns += static_cast<std::int64_t>(share * static_cast<double>(next.missed_ns));
  if (finding.stall && next.stall && finding.stall->channel == next.stall->channel) {
    finding.stall->seconds += share * next.stall->seconds;
  }
  if (finding.harm && next.harm && finding.harm->job == next.harm->job) {
    add_loss(next.harm->loss, share, finding.harm->loss);
    finding.harm->end_ns = next.harm->end_ns;
    finding.harm->slow = finding.harm->slow || next.harm->slow;
  }
  finding.severity = attribute::severity_of(finding);
}

work::JobRate* same_as(const work::JobRate& job, std::vector<work::JobRate>& run) {
  const auto it = std::ranges::find_if(run, [&](const work::JobRate& one) {
    if (!one.is_known() || one.kind != job.kind || one.job != job.job) return false;
    // Nothing but its counters tells a set of GPUs from another.
    return job.kind != work::JobKind::kGpus || one.members[one.lead] == job.members[job.lead];
  });
  return it == run.end() ? nullptr : &*it;
}

// Adds the blocks of `part` that begin in [begin_ns, end_ns).
void add_blocks(const work::JobRate& part, std::int64_t begin_ns, std::int64_t end_ns,
                work::JobRate& job) {
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  const bool held = !part.held.empty() || !job.held.empty();
  job.held.resize(held ? job.begin_ns.size() : 0, kAbsent);
  for (std::size_t i = 0; i < part.begin_ns.size(); ++i) {
    if (part.begin_ns[i] < begin_ns || part.begin_ns[i] >= end_ns) continue;
    job.begin_ns.push_back(part.begin_ns[i]);
    job.end_ns.push_back(part.end_ns[i]);
    job.rate.push_back(part.rate[i]);
    if (held) job.held.push_back(part.held.empty() ? kAbsent : part.held[i]);
  }
}

void add_stretches(const std::vector<report::NotJudged>& part, std::int64_t begin_ns,
                   std::int64_t end_ns, std::vector<report::NotJudged>& run) {
  for (auto one : part) {
    one.begin_ns = std::max(one.begin_ns, begin_ns);
    one.end_ns = std::min(one.end_ns, end_ns);
    if (one.begin_ns >= one.end_ns) continue;
    const bool goes_on =
        !run.empty() && run.back().end_ns >= one.begin_ns && run.back().why == one.why;
    if (goes_on) {
      run.back().end_ns = std::max(run.back().end_ns, one.end_ns);
    } else {
      run.push_back(one);
    }
  }
}

// What chance makes of a part is put by window: parts are of different lengths.
void put_by_window(std::size_t rows, std::vector<Finding>& findings) {
  for (auto& one : findings) {
    if (one.by_chance) *one.by_chance /= static_cast<double>(rows);
  }
}

void put_by_run(std::size_t rows, std::vector<Finding>& findings) {
  for (auto& one : findings) {
    if (one.by_chance) *one.by_chance *= static_cast<double>(rows);
  }
}

// Returns the median of those that are numbers: a limit that is off is none.
double usual_of(const std::vector<double>& limits) {
  std::vector<double> known;
  std::ranges::copy_if(limits, std::back_inserter(known),
                       [](double it) { return !std::isnan(it); });
  return known.empty() ? std::numeric_limits<double>::quiet_NaN() : stats::median(known);
}

void sort_by_time(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, {}, first_of);
}

}  // namespace

void add_findings(std::vector<Finding> part, const OwnWindows& own, std::vector<Finding>& run) {
  // What two windows' lengths would tell apart is one begin.
  constexpr std::uint64_t kSameBegin = 3;
  // Two of one part are two, whatever they share.
  const std::size_t of_others = run.size();
  for (auto& finding : part) {
    if (first_of(finding) >= own.end || last_of(finding) < own.begin) continue;
    Finding* before = same_as(finding, std::span(run).first(of_others));
    if (before == nullptr) {
      run.push_back(std::move(finding));
    } else if (first_of(finding) <= first_of(*before) + kSameBegin) {
      if (last_of(finding) >= last_of(*before)) *before = std::move(finding);
    } else if (last_of(finding) > last_of(*before)) {
      extend(finding, *before);
    }
  }
}

void add_jobs(const std::vector<work::JobRate>& part, std::int64_t begin_ns, std::int64_t end_ns,
              std::vector<work::JobRate>& run) {
  for (const auto& job : part) {
    if (!job.is_known()) {
      if (run.empty()) run.push_back(job);
      continue;
    }
    std::erase_if(run, [](const work::JobRate& one) { return !one.is_known(); });
    work::JobRate* same = same_as(job, run);
    if (same == nullptr) {
      same = &run.emplace_back(job);
      same->begin_ns.clear();
      same->end_ns.clear();
      same->rate.clear();
      same->held.clear();
    }
    add_blocks(job, begin_ns, end_ns, *same);
    same->block_error = std::max(same->block_error, job.block_error);
    same->bias_error = std::max(same->bias_error, job.bias_error);
    if (!same->period_s) same->period_s = job.period_s;
  }
}

void JudgedParts::add_detectors(const report::Report& part, const std::vector<std::size_t>& rows) {
  constexpr double kOff = std::numeric_limits<double>::quiet_NaN();
  const std::size_t before = whole_.windows.size();
  for (const auto& detector : part.detectors) {
    auto it = std::ranges::find(whole_.detectors, detector.name, &report::DetectorSummary::name);
    if (it == whole_.detectors.end()) {
      auto& added = whole_.detectors.emplace_back();
      added.name = detector.name;
      added.label = detector.label;
      added.votes = detector.votes;
      alarm_limits_.emplace_back();
      contamination_limits_.emplace_back();
      it = std::prev(whole_.detectors.end());
    }
    const auto place = static_cast<std::size_t>(it - whole_.detectors.begin());
    alarm_limits_[place].push_back(detector.alarm_limit);
    contamination_limits_[place].push_back(detector.contamination_limit);
    it->scores.resize(before, 0);  // a detector may have been unable to see a part
    it->limits.resize(before, kOff);
    it->quantiles.resize(before, 0);
    it->flagged.resize(before, false);
    for (const auto row : rows) {
      it->scores.push_back(detector.scores[row]);
      it->limits.push_back(detector.limits[row]);
      it->quantiles.push_back(detector.quantiles[row]);
      it->flagged.push_back(detector.flagged[row]);
    }
  }
  for (auto& detector : whole_.detectors) {
    detector.scores.resize(before + rows.size(), 0);
    detector.limits.resize(before + rows.size(), kOff);
    detector.quantiles.resize(before + rows.size(), 0);
    detector.flagged.resize(before + rows.size(), false);
  }
}

void JudgedParts::add_chance(const report::Report& part, std::size_t own_rows) {
  if (!part.by_chance) return;
  const double share = static_cast<double>(own_rows) / static_cast<double>(part.windows.size());
  whole_.by_chance = whole_.by_chance.value_or(0) + share * *part.by_chance;
}

void JudgedParts::add(report::Report part, const OwnWindows& own) {
  const auto rows = rows_of(part, own);
  if (rows.empty()) return;
  ++parts_;
  add_detectors(part, rows);
  add_chance(part, rows.size());
  for (auto* list : {&part.findings, &part.changes, &part.low_confidence}) {
    put_by_window(part.windows.size(), *list);
    sort_by_time(*list);
  }
  add_findings(std::move(part.findings), own, whole_.findings);
  add_findings(std::move(part.changes), own, whole_.changes);
  add_findings(std::move(part.low_confidence), own, whole_.low_confidence);
  // Samples before the first window and after the last one belong to the first and the last part.
  const bool is_first = whole_.windows.empty();
  const bool is_last = rows.back() + 1 == part.windows.size();
  const auto begin_ns =
      is_first ? std::numeric_limits<std::int64_t>::min() : part.windows[rows.front()].begin_ns;
  const auto end_ns =
      is_last ? std::numeric_limits<std::int64_t>::max() : part.windows[rows.back() + 1].begin_ns;
  add_jobs(part.jobs, begin_ns, end_ns, whole_.jobs);
  add_stretches(part.not_judged, begin_ns, end_ns, whole_.not_judged);
  for (const auto row : rows) whole_.windows.push_back(part.windows[row]);
  whole_.live_columns = std::max(whole_.live_columns, part.live_columns);
  whole_.channels.analyzed = std::max(whole_.channels.analyzed, part.channels.analyzed);
  whole_.configuration.compared_with = std::move(part.configuration.compared_with);
  if (part.saved_baseline) whole_.saved_baseline = std::move(part.saved_baseline);
}

void JudgedParts::move_to(report::Report& run) {
  for (std::size_t i = 0; i < whole_.detectors.size(); ++i) {
    whole_.detectors[i].alarm_limit = usual_of(alarm_limits_[i]);
    whole_.detectors[i].contamination_limit = usual_of(contamination_limits_[i]);
  }
  for (auto* list : {&whole_.findings, &whole_.changes, &whole_.low_confidence}) {
    put_by_run(whole_.windows.size(), *list);
    sort_by_time(*list);
    for (auto& one : *list) one.incident = one.incident_place = 0;
  }
  attribute::number_incidents(whole_.findings);
  std::ranges::stable_sort(whole_.findings, attribute::is_graver);
  run.parts = parts_;
  run.windows = std::move(whole_.windows);
  run.detectors = std::move(whole_.detectors);
  run.findings = std::move(whole_.findings);
  run.changes = std::move(whole_.changes);
  run.low_confidence = std::move(whole_.low_confidence);
  run.by_chance = whole_.by_chance;
  run.not_judged = std::move(whole_.not_judged);
  run.jobs = std::move(whole_.jobs);
  run.live_columns = whole_.live_columns;
  run.channels.analyzed = whole_.channels.analyzed;
  run.configuration.compared_with = std::move(whole_.configuration.compared_with);
  run.saved_baseline = std::move(whole_.saved_baseline);
  whole_ = {};
  parts_ = 0;
  alarm_limits_.clear();
  contamination_limits_.clear();
}

}  // namespace reveal::pipeline
