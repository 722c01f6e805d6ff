#include "live/live_judge.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "attribute/merge.h"
#include "text/time_text.h"

namespace reveal::live {
namespace {

// A window is kept a while longer, so that the rows move seldom.
constexpr std::size_t kSlack = 60;
constexpr std::size_t kShortestFitGap = 30;
constexpr std::size_t kLongestFitGap = 300;
// Fits go on as long as the host does, and most of one's work is scoring what it was made of: fewer
// folds found the same (docs/detection.md, "An hour, and live").
constexpr Eigen::Index kFolds = 5;
// Likewise: more windows do not move a median that matters.
constexpr std::size_t kMediansOf = 100;

// What is fitted is judged as a stranger would be, whatever a whole run would be compared with.
pipeline::PipelineConfig for_live(pipeline::PipelineConfig config) {
  if (!config.saved) config.baseline = detect::Baseline::kRest;
  config.redundancy = config.selection == pipeline::SelectionMode::kPrune;
  return config;
}

}  // namespace

LiveJudge::LiveJudge(pipeline::PipelineConfig config)
    : config_(for_live(std::move(config))),
      rule_{.min_agreement = config_.min_agreement, .warm_up = config_.warm_up},
      pipeline_(config_) {
  history_.features = &pipeline_.features();
  history_.channels = &pipeline_.channels();
  if (config_.saved) {
    scorer_.emplace(config_.saved,
                    detect::VerdictOptions{config_.contamination, config_.threshold});
  }
}

base::Result<void> LiveJudge::begin(const model::RunFacts& facts) {
  history_.host = facts.host;
  say_learning();
  return pipeline_.begin(facts);
}

base::Result<void> LiveJudge::write(const model::ChannelTable& channels,
                                    const model::Frame& frame) {
  if (history_.begin_ns == 0) history_.begin_ns = frame.wall_ns;
  history_.end_ns = frame.wall_ns;
  const std::size_t before = pipeline_.window_count();
  if (auto done = pipeline_.write(channels, frame); !done) return done;
  if (pipeline_.window_count() == before) return {};
  for (std::size_t row = before; row < pipeline_.window_count(); ++row) take_window(row);
  if (!config_.saved) refit();
  forget_old();
  say_learning();
  return {};
}

void LiveJudge::take_window(std::size_t row) {
  ++seen_;
  JudgedWindow window;
  window.span = pipeline_.features().window(row);
  if (scorer_) judge(row, window);
  flagged_ = window.flagged ? flagged_ + 1 : 0;
  history_.windows.push_back(window);
}

void LiveJudge::judge(std::size_t row, JudgedWindow& window) {
  const auto& features = pipeline_.features();
  const auto verdict = scorer_->judge(features, pipeline_.channels(), row);
  history_.trouble = verdict ? "" : verdict.error().message();
  if (!verdict) return;
  window.judged = true;
  history_.votes = std::accumulate(verdict->votes.begin(), verdict->votes.end(), 0);
  window.strength =
      detect::strength(verdict->scores, verdict->limits, verdict->votes, config_.min_agreement);
  auto blame = attribute::blame(*scorer_, *verdict, features, pipeline_.channels());
  window.shares = blame.subsystems;
  if (rule_.is_warm_up(window.span)) scorer_->silence();
  const bool stalled = verdict->stalled || !attribute::tells_stalls(pipeline_.channels(), true);
  if (!rule_.flags(window.span, verdict->agreement) ||
      rule_.kind_of(stalled) != attribute::Kind::kFinding) {
    drift_.add(scorer_->baseline(), verdict->scores);
    return;
  }
  window.flagged = blame.subsystem();
  add_to_finding(row, window, std::move(blame), verdict->agreement);
}

void LiveJudge::add_to_finding(std::size_t row, const JudgedWindow& window,
                               attribute::LiveBlame blame, int agreement) {
  auto& findings = history_.findings;
  const auto& features = pipeline_.features();
  const auto& channels = pipeline_.channels();
  if (blame_ && attribute::continues(findings.back().end_ns, window.span)) {
    attribute::add(*blame_, blame, *scorer_, features, channels);
  } else {
    findings.emplace_back().begin_ns = window.span.begin_ns;
    blame_ = std::move(blame);
    rows_.clear();
  }
  rows_.push_back(row);
  auto& finding = findings.back();
  finding.end_ns = window.span.end_ns;
  finding.agreement = std::max(finding.agreement, static_cast<std::size_t>(agreement));
  finding.subsystem = blame_->subsystem();
  finding.claim = attribute::live_claim(*blame_, *scorer_, features, channels, rows_);
}

bool LiveJudge::fit_is_due() const {
  if (flagged_ > 0) return flagged_ >= kLongestWait;
  return seen_ >= next_fit_ || (seen_ >= fit_if_moved_ && drift_.moved());
}

// Between the last window of a finding and the first that would no longer belong to it, it goes on.
bool LiveJudge::finding_goes_on() const {
  if (!blame_) return false;
  return attribute::continues(history_.findings.back().end_ns, history_.windows.back().span);
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
  }
  if (!fit_is_due()) return;
  const std::size_t gap = std::clamp(seen_ / 2, kShortestFitGap, kLongestFitGap);
  fit_if_moved_ = seen_ + gap;
  next_fit_ = seen_ + (seen_ < kMostKept ? gap : kOldestFit);
  flagged_ = 0;
  patience_ = finding_goes_on() ? 0 : kLongestWait;
  keep_latest();
  auto fit = pipeline_.copy_for_fit();
  if (!fit) {
    adopt(base::pass(fit));
    return;
  }
  fit->options.strangers.folds = kFolds;
  fit->options.medians_of = kMediansOf;
  if (in_background_) {
    fit_ = std::make_unique<BackgroundFit>(std::move(*fit));
  } else {
    adopt(fit->fit());
  }
}

// A finding that goes on begins anew: what it was blamed on was counted in the units of before.
void LiveJudge::adopt(base::Result<detect::FittedBaseline> fitted) {
  if (!fitted) {
    if (!scorer_) history_.trouble = fitted.error().message();
    return;
  }
  history_.trouble.clear();
  history_.learnt_ns = fitted->origin.end_ns;
  drift_ = {};
  rows_.clear();
  blame_.reset();
  scorer_.emplace(std::make_shared<const detect::FittedBaseline>(std::move(*fitted)),
                  detect::VerdictOptions{config_.contamination, config_.threshold});
}

void LiveJudge::forget_old() {
  while (history_.windows.size() > kMostWindows) history_.windows.pop_front();
  auto& findings = history_.findings;
  if (findings.size() > kMostFindings) findings.erase(findings.begin());
  if (pipeline_.window_count() > kMostKept + kSlack) keep_latest();
}

void LiveJudge::keep_latest() {
  if (pipeline_.window_count() <= kMostKept) return;
  const std::size_t gone = pipeline_.window_count() - kMostKept;
  pipeline_.keep_last(kMostKept);
  std::erase_if(rows_, [&](std::size_t row) { return row < gone; });
  for (auto& row : rows_) row -= gone;
}

void LiveJudge::say_learning() {
  history_.learning.clear();
  if (scorer_) return;
  if (fit_) {
    history_.learning = "learning, nearly done";
    return;
  }
  if (seen_ >= next_fit_) return;
  const auto left = static_cast<std::int64_t>(next_fit_ - seen_);
  // Seconds, as a countdown reads best.
  history_.learning = fmt::format(
      "learning, {} s to go", (left * pipeline_.windows().stride_ns + 999'999'999) / 1'000'000'000);
}

}  // namespace reveal::live
