#include "pipeline/analysis.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "attribute/attribution.h"
#include "attribute/severity.h"
#include "detect/design.h"
#include "detect/elapsed.h"
#include "detect/regimes.h"
#include "detect/saturation_signals.h"
#include "detect/verdict.h"
#include "work/slowdowns.h"

namespace reveal::pipeline {
namespace {

constexpr std::int64_t kDay_ns = 86'400'000'000'000;

// Each fold has detectors of its own, which take most of a part's time and half of its memory. So
// a part of 20 minutes has folds as long as those of an hour that is judged at once.
constexpr Eigen::Index kFoldsOfPart = 6;

report::DetectorSummary summary(const detect::DetectorVerdict& verdict) {
  report::DetectorSummary out;
  out.name = verdict.name;
  for (const auto& row : detect::registry()) {
    if (row.name == verdict.name) out.label = row.label;
  }
  out.votes = verdict.votes;
  out.contamination_limit = verdict.contamination_limit;
  out.alarm_limit = verdict.alarm_limit;
  out.scores.assign(verdict.scores.begin(), verdict.scores.end());
  out.limits.assign(verdict.limits.begin(), verdict.limits.end());
  out.quantiles.assign(verdict.quantiles.begin(), verdict.quantiles.end());
  out.flagged = verdict.flagged;
  return out;
}

// A workload's start is unusual in every run, and seldom a fault.
std::vector<bool> warm_up_rows(const feature::FeatureMatrix& matrix,
                               const attribute::FindingRule& rule) {
  std::vector<bool> out;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    out.push_back(rule.is_warm_up(matrix.window(row)));
  }
  return out;
}

// Returns whether a window neither shares a sample with the one before nor touches it.
bool follows_gap(const feature::FeatureMatrix& matrix, std::size_t row) {
  return row > 0 && matrix.window(row).begin_ns > matrix.window(row - 1).end_ns;
}

// Returns the stretches of windows between regimes, and those without a window.
std::vector<report::NotJudged> not_judged(const detect::Design& design,
                                          const feature::FeatureMatrix& matrix) {
  std::vector<report::NotJudged> out;
  const auto& at_cut = design.saturation.at_cut;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    const auto& span = matrix.window(row);
    const bool is_gap = follows_gap(matrix, row);
    if (is_gap) {
      const auto last_ns = matrix.window(row - 1).end_ns;
      out.push_back({last_ns, span.begin_ns, report::WhyNotJudged::kGap});
    }
    if (row >= at_cut.size() || !at_cut[row]) continue;
    const bool goes_on = row > 0 && at_cut[row - 1] && !is_gap;
    if (!goes_on) out.push_back({span.begin_ns, span.end_ns});
    out.back().end_ns = span.end_ns;
  }
  return out;
}

std::size_t channels_in(const detect::Design& design, const feature::FeatureMatrix& matrix) {
  std::set<model::ChannelId> channels;
  for (const auto column : design.columns) {
    if (column != detect::kAbsentColumn) channels.insert(matrix.column(column).channel);
  }
  return channels.size();
}

// Returns how many of so many a day there are in the run.
std::optional<double> in_run(std::optional<double> per_day, const report::Report& report) {
  if (!per_day) return std::nullopt;
  return *per_day * report::days(report);
}

// Returns, by window, whether it shares time with a dip of a job's work rate; nothing if no job has
// a rate.
std::vector<bool> slow_windows(const feature::FeatureMatrix& matrix,
                               const std::vector<work::JobRate>& jobs) {
  std::vector<bool> out;
  for (const auto& job : jobs) {
    if (!job.is_known()) continue;
    out.resize(matrix.row_count(), false);
    const auto dips = work::dips(job);
    std::size_t next = 0;  // the first dip that has not ended before the window
    for (std::size_t row = 0; row < out.size(); ++row) {
      const auto& span = matrix.window(row);
      while (next < dips.size() && dips[next].end_ns <= span.begin_ns) ++next;
      if (next < dips.size() && dips[next].begin_ns < span.end_ns) out[row] = true;
    }
  }
  return out;
}

// Returns those that are asked for. Of the usual ones there is one more in a brief run of a host
// that does not tell what waits.
std::vector<std::string> detectors_for(const PipelineConfig& config, const Analyzed& of) {
  auto out = config.detectors;
  const bool usual = std::ranges::equal(out, detect::kUsualDetectors);
  const bool by_itself = config.baseline != detect::Baseline::kPast;
  const bool brief = !of.is_part && of.matrix.row_count() <= detect::kBriefRun;
  if (usual && by_itself && brief && !detect::has_pressure_metrics(of.channels)) {
    out.emplace_back(detect::kWithoutPressure);
  }
  return out;
}

base::Result<detect::ScoredRun> score_by_itself(const Analyzed& of,
                                                const std::vector<bool>& selected,
                                                const PipelineConfig& config,
                                                const std::vector<work::JobRate>& jobs) {
  const auto& matrix = of.matrix;
  const auto& channels = of.channels;
  detect::DesignOptions options{.channels = selected,
                                .subsystems = detect::subsystems_of(channels),
                                .least_rises = detect::least_rises(matrix, channels)};
  // Live, neither a regime change nor a dip can yet be told from a transient.
  if (config.baseline != detect::Baseline::kPast) {
    options.slow = slow_windows(matrix, jobs);
    options.regimes = detect::regimes(matrix, channels);
  }
  auto design = detect::make_design(matrix, options);
  if (!design) return base::pass(design);
  return detect::ScoredRun::score(std::move(*design), config.baseline,
                                  {.seed = config.seed, .names = detectors_for(config, of)},
                                  of.is_part ? kFoldsOfPart : detect::kMaxFolds);
}

base::Result<detect::ScoredRun> score_by_saved(const Analyzed& of,
                                               const detect::FittedBaseline& saved,
                                               report::Report& out) {
  auto matched = detect::match(saved, of.matrix, of.channels);
  if (!matched) return base::pass(matched);
  const auto& origin = saved.origin;
  out.saved_baseline = {origin.host,
                        origin.command,
                        origin.begin_ns,
                        origin.end_ns,
                        origin.runs,
                        origin.windows,
                        std::move(matched->absent),
                        matched->unknown.size(),
                        origin.accepted_findings};
  const double begins_at_s = 1e-9 * static_cast<double>(of.windows_before) *
                             static_cast<double>(out.configuration.window.stride_ns);
  const Eigen::VectorXd elapsed = detect::elapsed_seconds(of.matrix, {0}).array() + begins_at_s;
  auto peaks = detect::usual_peaks(saved, elapsed);
  return detect::ScoredRun::against(saved.detectors, std::move(matched->design), std::move(peaks));
}

std::optional<std::size_t> saturation_of(const detect::ScoredRun& run) {
  for (std::size_t i = 0; i < run.detector_count(); ++i) {
    if (run.sees_saturation(i)) return i;
  }
  return std::nullopt;
}

// Adds the flagged windows to the stalled ones. Returns whether there are more now.
bool add_flagged(const std::vector<bool>& flagged, std::vector<bool>& stalled) {
  bool out = false;
  for (std::size_t row = 0; row < flagged.size(); ++row) {
    if (!flagged[row] || stalled[row]) continue;
    stalled[row] = true;
    out = true;
  }
  return out;
}

// Returns whether of each stretch of windows that were flagged at first one is flagged still.
bool shows_all(const std::vector<bool>& first, const std::vector<bool>& now) {
  bool shown = true;
  for (std::size_t row = 0; row < first.size(); ++row) {
    const bool begins = first[row] && (row == 0 || !first[row - 1]);
    if (begins && !shown) return false;
    if (begins) shown = false;
    if (first[row] && now[row]) shown = true;
  }
  return shown;
}

// Judges the windows. What stalls work in those that raise an alarm is not usual either: where no
// job's rate tells when others slowed it (slow_windows()), saturation is learned anew without them,
// and what they have hidden is judged, until nothing more shows. Fewer than a tenth of the windows
// do not move what is usual. If that hides what showed at first, the first verdict stands.
base::Result<detect::Verdict> judge_hidden_too(detect::ScoredRun& run,
                                               const detect::VerdictOptions& options) {
  constexpr int kMostTimes = 4;
  auto first = detect::judge(run, options);
  const bool by_rest = run.baseline() == detect::Baseline::kRest && options.has_threshold();
  const auto detector = saturation_of(run);
  if (!first || !by_rest || !detector || !run.design().saturation.slow.empty()) return first;
  std::vector<bool> stalled = first->detectors[*detector].flagged;
  const auto count = static_cast<std::size_t>(std::ranges::count(stalled, true));
  if (count == 0 || 10 * count < stalled.size()) return first;
  auto verdict = first;
  for (int i = 0; i < kMostTimes; ++i) {
    if (auto done = run.learn_without(stalled); !done) return base::pass(done);
    verdict = detect::judge(run, options);
    if (!verdict || !add_flagged(verdict->detectors[*detector].flagged, stalled)) break;
  }
  if (!verdict) return verdict;
  if (shows_all(first->detectors[*detector].flagged, verdict->detectors[*detector].flagged)) {
    return verdict;
  }
  if (auto done = run.learn_without({}); !done) return base::pass(done);
  return first;
}

}  // namespace

std::string to_string(SelectionMode mode) {
  switch (mode) {
    case SelectionMode::kAll:
      return "all";
    case SelectionMode::kPrune:
      return "prune";
    case SelectionMode::kPlan:
      break;
  }
  return "plan";
}

std::string to_string(detect::Baseline baseline) {
  switch (baseline) {
    case detect::Baseline::kRun:
      return "run";
    case detect::Baseline::kRest:
      return "rest";
    case detect::Baseline::kPast:
      return "past";
    case detect::Baseline::kSaved:
      break;
  }
  return "saved";
}

std::vector<model::ChannelId> representatives(const select::SelectionPlan& plan,
                                              const model::ChannelTable& channels) {
  std::vector<model::ChannelId> out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) out.emplace_back(i);
  for (const auto& cluster : plan.clusters) {
    const auto leader = channels.find_channel(cluster.representative);
    if (!leader) continue;
    for (const auto& member : cluster.members) {
      if (const auto id = channels.find_channel(member.channel)) out[id->index()] = *leader;
    }
  }
  return out;
}

std::vector<bool> selected_channels(const PipelineConfig& config, const select::SelectionPlan& plan,
                                    const model::ChannelTable& channels) {
  switch (config.selection) {
    case SelectionMode::kAll:
      return {};
    case SelectionMode::kPrune:
      return select::apply(plan, channels).keep;
    case SelectionMode::kPlan:
      break;
  }
  return select::apply(config.plan, channels).keep;
}

// Returns the first windows of stretches, but for that of the run.
std::vector<Eigen::Index> stretches_of(const feature::FeatureMatrix& matrix) {
  std::vector<Eigen::Index> out;
  for (std::size_t row = 1; row < matrix.row_count(); ++row) {
    if (follows_gap(matrix, row)) out.push_back(static_cast<Eigen::Index>(row));
  }
  return out;
}

base::Result<void> detect_and_attribute(const Analyzed& of, const std::vector<bool>& selected,
                                        const PipelineConfig& config, report::Report& out) {
  const auto& matrix = of.matrix;
  auto run = config.saved ? score_by_saved(of, *config.saved, out)
                          : score_by_itself(of, selected, config, out.jobs);
  if (!run) return base::pass(run);
  const auto& windows = out.configuration.window;
  const auto so_far = static_cast<Eigen::Index>(of.windows_before + matrix.row_count());
  auto verdict = judge_hidden_too(*run, {.contamination = config.contamination,
                                         .threshold = config.threshold,
                                         .neighbors = windows.length_ns / windows.stride_ns,
                                         .a_day = kDay_ns / windows.stride_ns,
                                         .so_far = so_far,
                                         .stretches = stretches_of(matrix)});
  if (!verdict) return base::pass(verdict);

  const auto& design = run->design();
  const attribute::FindingRule rule{.min_agreement = config.min_agreement,
                                    .warm_up = config.warm_up,
                                    .most_by_chance = in_run(config.false_alarms_per_day, out)};
  detect::silence(*verdict, warm_up_rows(matrix, rule));

  out.configuration.compared_with = to_string(run->baseline());
  out.not_judged = not_judged(design, matrix);
  out.live_columns = design.columns.size();
  out.channels.analyzed = channels_in(design, matrix);
  for (const auto& one : verdict->detectors) out.detectors.push_back(summary(one));
  const attribute::AttributionInput input{of.channels,
                                          matrix,
                                          *run,
                                          *verdict,
                                          config.saved.get(),
                                          attribute::histories_of(out.jobs),
                                          &of.processes,
                                          &of.ticks,
                                          of.windows_before == 0};
  const bool by_default = config.threshold.mode == detect::Threshold::Mode::kAuto;
  const attribute::AttributionOptions options{.rule = rule, .slow_jobs = by_default};
  auto attributed = attribute::attribute(input, options);
  out.findings = std::move(attributed.findings);
  std::stable_sort(out.findings.begin(), out.findings.end(), attribute::is_graver);
  out.changes = std::move(attributed.changes);
  out.low_confidence = std::move(attributed.low_confidence);
  out.by_chance = attributed.by_chance;
  if (config.channel_shares) out.channel_shares = attribute::channel_shares(input, options);
  return {};
}

}  // namespace reveal::pipeline
