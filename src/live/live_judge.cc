#include "live/live_judge.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "attribute/incidents.h"
#include "attribute/shares.h"
#include "base/heap.h"
#include "detect/detector.h"
#include "stats/quantile.h"
#include "text/time_text.h"

namespace reveal::live {
namespace {

// A window is kept a while longer, so that the rows move seldom.
constexpr std::size_t kSlack = 60;
constexpr std::int64_t kSurelyOver_ns = 60'000'000'000;
constexpr std::size_t kShortestFitGap = 30;
constexpr std::size_t kLongestFitGap = 300;
// Fits go on as long as the host does, and most of one's work is scoring what it was made of: fewer
// folds found the same (docs/evidence/detection_diary.md, "An hour, and live").
constexpr Eigen::Index kFolds = 5;
// Likewise: more windows do not move a median that matters.
constexpr std::size_t kMediansOf = 100;

// What is fitted is judged as a held-out window would be, whatever a whole run would be compared
// with.
pipeline::PipelineConfig for_live(pipeline::PipelineConfig config) {
  if (!config.saved) config.baseline = detect::Baseline::kRest;
  config.whole_run = false;
  config.redundancy = config.selection == pipeline::SelectionMode::kPrune;
  config.work_rate = true;
  config.precision = feature::Precision::kRounded;
  return config;
}

// Limits are the same for all windows that a scorer judges.
Yardstick yardstick_of(const detect::FittedBaseline& baseline,
                       const detect::WindowVerdict& verdict) {
  Yardstick out;
  out.windows = baseline.windows;
  out.begin_ns = baseline.origin.begin_ns;
  out.end_ns = baseline.origin.end_ns;
  out.window_count = baseline.origin.windows;
  out.detectors.reserve(baseline.detectors.size());
  for (std::size_t i = 0; i < baseline.detectors.size(); ++i) {
    const auto name = baseline.detectors[i].detector->name();
    const auto place = detect::find_detector(name);
    const auto label = place ? detect::registry()[*place].label : name;
    out.detectors.push_back({.name = std::string(name),
                             .label = std::string(label),
                             .votes = verdict.votes[i],
                             .limit = verdict.limits[i],
                             .usual_score = stats::median_of_sorted(baseline.detectors[i].scores)});
  }
  return out;
}

detect::FindingOptions findings_of(const pipeline::PipelineConfig& config,
                                   const pipeline::Pipeline& pipeline) {
  const auto& windows = pipeline.windows();
  return {.verdict = {.contamination = config.contamination,
                      .threshold = config.threshold,
                      .neighbors = windows.length_ns / windows.stride_ns},
          .min_agreement = config.min_agreement,
          .tells_stalls = attribute::tells_stalls(pipeline.channels(), true)};
}

}  // namespace

std::int64_t learned_from_ns(const window::WindowChoice& windows, std::int64_t interval_ns) {
  const auto kept = static_cast<std::int64_t>(kMaxKept);
  const auto spec = windows.at(interval_ns);
  if (!spec) return kPast_ns;  // that is told when the run begins
  return kept * std::min(spec->stride_ns, kPast_ns / kept);
}

LiveJudge::LiveJudge(pipeline::PipelineConfig config)
    : config_(for_live(std::move(config))),
      rule_{.min_agreement = config_.min_agreement, .warm_up = config_.warm_up},
      pipeline_(config_) {
  history_.features = &pipeline_.features();
  history_.channels = &pipeline_.channels();
  history_.notes = &pipeline_.notes();
  if (config_.saved) judge_by(config_.saved);
}

base::Result<void> LiveJudge::begin(const model::RunFacts& facts) {
  history_.host = facts.host;
  history_.unseen = facts.unseen;
  say_learning();
  return pipeline_.begin(facts);
}

base::Result<void> LiveJudge::write(const model::ChannelTable& channels,
                                    const model::Frame& frame) {
  if (learns_until_ns_ && frame.wall_ns > *learns_until_ns_) end_known_past();
  if (history_.begin_ns == 0) history_.begin_ns = frame.wall_ns;
  history_.end_ns = frame.wall_ns;
  const std::size_t before = pipeline_.window_count();
  if (auto done = pipeline_.write(channels, frame); !done) return done;
  if (pipeline_.window_count() > before) {
    for (std::size_t row = before; row < pipeline_.window_count(); ++row) take_window(row);
    if (work_.update(pipeline_.work(), is_urgent())) tell_harm();
    if (!config_.saved && !learns_until_ns_) refit();
    forget_old();
    say_learning();
  }
  say_not_judged(frame.wall_ns);
  return {};
}

void LiveJudge::take_window(std::size_t row) {
  ++seen_;
  JudgedWindow window;
  window.span = pipeline_.features().window(row);
  if (scorer_ && !learns_until_ns_) judge(row, window);
  flagged_ = window.flagged ? flagged_ + 1 : 0;
  history_.windows.push_back(window);
  if (memory_) follow_workload(row);
}

// Fills in how strong a window is. Nothing if it cannot be judged; then there is `trouble`.
std::optional<detect::WindowVerdict> LiveJudge::score(std::size_t row, JudgedWindow& window) {
  const auto& features = pipeline_.features();
  auto verdict = scorer_->judge(features, pipeline_.channels(), row);
  history_.trouble = verdict ? "" : verdict.error().message();
  if (!verdict) return std::nullopt;
  window.judged = true;
  history_.votes = std::accumulate(verdict->votes.begin(), verdict->votes.end(), 0);
  window.strength =
      detect::strength(verdict->scores, verdict->limits, verdict->votes, config_.min_agreement);
  window.agreement = verdict->agreement;
  window.shares = attributor_->take(*verdict, row);
  if (rule_.is_warm_up(window.span)) scorer_->silence();
  return std::move(*verdict);
}

void LiveJudge::judge(std::size_t row, JudgedWindow& window) {
  const auto verdict = score(row, window);
  if (!verdict) return;
  const bool stalled = verdict->stalled || !attribute::tells_stalls(pipeline_.channels(), true);
  const bool flagged = rule_.flags(window.span, verdict->agreement);
  if (flagged) keep_words(*verdict, window);
  const bool is_finding = rule_.kind_of(stalled) == attribute::Kind::kFinding;
  if (!flagged || (!is_finding && !goes_on_slowly(window.span))) {
    drift_.add(scorer_->baseline(), verdict->scores);
    if (flagged) attributor_->add_to_change();
    return;
  }
  window.flagged = attribute::most_blamed(window.shares);
  add_to_finding(window.span);
}

// A window that was learned from looks a little more usual than it did when it came.
void LiveJudge::end_known_past() {
  learns_until_ns_.reset();
  known_past_ = seen_;
  if (pipeline_.window_count() == 0) return;
  if (!config_.saved) refit();
  if (!scorer_) return;
  const std::size_t rows = pipeline_.window_count();
  const std::size_t first = history_.windows.size() - rows;
  for (std::size_t row = 0; row < rows; ++row) score(row, history_.windows[first + row]);
}

void LiveJudge::fit_in_background() {
  if (learns_until_ns_) end_known_past();
  in_background_ = true;
}

void LiveJudge::keep_words(const detect::WindowVerdict& verdict, JudgedWindow& window) {
  if (!yardstick_) {
    auto made = yardstick_of(scorer_->baseline(), verdict);
    made.is_earlier = history_.looks_like.has_value();
    made.is_saved = made.is_earlier || config_.saved != nullptr;
    made.min_agreement = config_.min_agreement;
    yardstick_ = std::make_shared<const Yardstick>(std::move(made));
  }
  window.words = std::make_shared<const WindowWords>(
      WindowWords{.by = yardstick_, .scores = verdict.scores, .flagged = verdict.flagged});
}

void LiveJudge::add_to_finding(const window::WindowSpan& window) {
  auto& findings = history_.findings;
  if (!attributor_->continues(findings, window)) is_slow_alone_ = false;
  attributor_->add(findings);
  if (history_.looks_like) say_compared(window);
  attribute::number_incidents(findings);
}

// Returns whether a flagged window belongs to a finding that is one because a job was slow.
bool LiveJudge::goes_on_slowly(const window::WindowSpan& window) const {
  return is_slow_alone_ && attributor_->continues(history_.findings, window);
}

// Returns whether somebody wants to know what jobs do: a finding or a change goes on, or ended a
// moment ago.
bool LiveJudge::is_urgent() const {
  const auto is_recent = [&](const attribute::Finding& one) {
    return one.windows_end_ns() + kHarmTold_ns > history_.end_ns;
  };
  if (std::ranges::any_of(history_.findings, is_recent)) return true;
  return attributor_ && attributor_->change() && is_recent(*attributor_->change());
}

void LiveJudge::tell_harm() {
  history_.jobs = work_.rates();
  for (auto& finding : history_.findings) {
    if (finding.windows_end_ns() + kHarmTold_ns > history_.end_ns) {
      attribute::set_harm(work_.jobs(), finding);
    }
  }
  take_harmed_change();
}

// Beside a finding of which it is only an end, a change says nothing new.
void LiveJudge::take_harmed_change() {
  if (!attributor_ || !attributor_->change()) return;
  const auto& change = *attributor_->change();
  const auto begin_ns = change.windows_begin_ns();
  if (!attribute::is_harmed_so_far(work_.jobs(), begin_ns, change.windows_end_ns())) return;
  auto& findings = history_.findings;
  const auto reaches_into = [&](const attribute::Finding& one) {
    return one.windows_end_ns() > begin_ns;
  };
  if (std::ranges::any_of(findings, reaches_into)) return;
  attributor_->take_change(findings,
                           attribute::idle_in(work_.jobs(), begin_ns, change.windows_end_ns()));
  attribute::set_harm(work_.jobs(), findings.back());
  mark(history_, findings.back());
  is_slow_alone_ = true;
}

bool LiveJudge::fit_is_due() const {
  if (history_.looks_like) return fit_of_regime_is_due();
  if (flagged_ > 0) return flagged_ >= kLongestWait;
  return seen_ >= next_fit_ || (seen_ >= fit_if_moved_ && drift_.moved());
}

// Between the last window of a finding and the first that would no longer belong to it, it goes on.
bool LiveJudge::finding_goes_on() const {
  return attributor_ && attributor_->continues(history_.findings, history_.windows.back().span);
}

// Returns the rows of long findings; none if too few others would be left.
std::vector<bool> LiveJudge::not_learned_from() const {
  const auto& features = pipeline_.features();
  const auto stride_ns = pipeline_.windows().stride_ns;
  std::vector<bool> out(features.row_count());
  for (const auto& finding : history_.findings) {
    const auto begin_ns = finding.windows_begin_ns();
    const auto end_ns = finding.windows_end_ns();
    const auto strides = static_cast<std::size_t>((end_ns - begin_ns) / stride_ns);
    if (strides < kLongFinding || strides >= kLongestWait) continue;
    for (std::size_t row = 0; row < out.size(); ++row) {
      const auto& span = features.window(row);
      if (span.end_ns > begin_ns && span.begin_ns < end_ns) out[row] = true;
    }
  }
  const auto gone = static_cast<std::size_t>(std::ranges::count(out, true));
  if (gone == 0 || out.size() - gone < kFirstFit) return {};
  return out;
}

void LiveJudge::refit() {
  if (fit_) {
    if (finding_goes_on() && patience_ > 0) {
      --patience_;
      return;
    }
    auto fitted = fit_->take();
    if (!fitted) return;
    fit_.reset();
    adopt(std::move(*fitted));
    base::return_freed_memory();
  }
  if (!fit_is_due()) return;
  const std::size_t gap = std::clamp(seen_ / 2, kShortestFitGap, kLongestFitGap);
  fit_if_moved_ = seen_ + gap;
  next_fit_ = seen_ + (seen_ < kMaxKept ? gap : kOldestFit);
  flagged_ = 0;
  patience_ = finding_goes_on() ? 0 : kLongestWait;
  keep_latest();
  auto fit = pipeline_.copy_for_fit(/*whole=*/false, not_learned_from());
  if (!fit) {
    adopt(base::pass(fit));
    return;
  }
  if (history_.looks_like) keep_regime(*fit);
  fit->options.held_out.folds = kFolds;
  fit->options.medians_of = kMediansOf;
  // Later, no fit is begun while a finding goes on.
  if (!scorer_) fit->options.findings = findings_of(config_, pipeline_);
  if (in_background_) {
    fit_ = std::make_unique<BackgroundFit>(std::move(*fit));
  } else {
    adopt(std::move(*fit).fit());
  }
}

// A finding that goes on begins anew: what it was blamed on was counted in the units of before.
void LiveJudge::adopt(base::Result<detect::FittedBaseline> fitted) {
  if (!fitted) {
    if (!scorer_) history_.trouble = fitted.error().message();
    return;
  }
  history_.trouble.clear();
  history_.learned_ns = fitted->origin.end_ns;
  own_ = std::make_shared<const detect::FittedBaseline>(std::move(*fitted));
  // Minutes of what went on before do not say what is usual of this workload.
  if (history_.looks_like && !memory_->is_of_present(*own_)) return;
  history_.looks_like.reset();
  if (memory_) memory_->leave();
  judge_by(own_);
}

void LiveJudge::judge_by(std::shared_ptr<const detect::FittedBaseline> baseline) {
  drift_ = {};
  scorer_.emplace(std::move(baseline),
                  detect::VerdictOptions{config_.contamination, config_.threshold});
  yardstick_.reset();
  attributor_.emplace(*scorer_, pipeline_.features(), pipeline_.channels(), &pipeline_.processes(),
                      &pipeline_.ticks());
}

// One that goes on may be older than many that are over.
void LiveJudge::forget_old_findings() {
  auto& findings = history_.findings;
  if (findings.size() <= kMaxFindings || history_.windows.empty()) return;
  const std::int64_t now_ns = history_.windows.back().span.begin_ns;
  const auto is_over = [&](const attribute::Finding& one) {
    return one.windows_end_ns() < now_ns - kSurelyOver_ns;
  };
  const auto oldest = std::ranges::find_if(findings, is_over);
  findings.erase(oldest == findings.end() ? findings.begin() : oldest);
}

void LiveJudge::forget_old() {
  while (history_.windows.size() > kMaxWindows) history_.windows.pop_front();
  forget_old_findings();
  if (pipeline_.window_count() > kMaxKept + kSlack) keep_latest();
}

void LiveJudge::keep_latest() {
  if (pipeline_.window_count() <= kMaxKept) return;
  const std::size_t gone = pipeline_.window_count() - kMaxKept;
  pipeline_.keep_last(kMaxKept);
  if (attributor_) attributor_->forget_rows(gone);
}

void LiveJudge::say_learning() {
  history_.learning.clear();
  if (scorer_) return;
  if (fit_) {
    history_.learning = "nearly done";
    return;
  }
  if (seen_ >= next_fit_) return;
  const auto left = static_cast<std::int64_t>(next_fit_ - seen_);
  // Seconds, as a countdown reads best.
  history_.learning = fmt::format(
      "{} s to go", (left * pipeline_.windows().stride_ns + 999'999'999) / 1'000'000'000);
}

// Says why the newest windows are not judged, and since when; windows that are missing are not,
// too.
void LiveJudge::say_not_judged(std::int64_t frame_ns) {
  const auto& windows = history_.windows;
  NotJudged now;
  if (!windows.empty() && frame_ns - windows.back().span.end_ns > pipeline_.windows().length_ns) {
    now = {"ticks are missing", windows.back().span.end_ns};
  } else if (!history_.trouble.empty()) {
    now = {history_.trouble, windows.empty() ? frame_ns : windows.back().span.begin_ns};
  } else if (!scorer_) {
    now = {"what is usual is not learned yet", history_.begin_ns};
  } else {
    history_.not_judged.reset();
    return;
  }
  // The reason's words may change, as a remedy's may; it began where it began.
  if (!history_.not_judged || history_.not_judged->why != now.why) history_.not_judged = now;
}

}  // namespace reveal::live
