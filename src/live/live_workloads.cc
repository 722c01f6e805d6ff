// The part of the live judge that compares a workload with an earlier run of it.
#include <algorithm>
#include <iterator>
#include <utility>

#include "live/live_judge.h"

namespace reveal::live {
namespace {

// While a job comes to be, it waits for what it loads, as where one regime becomes the next.
constexpr std::size_t kComing = 7;

}  // namespace

void LiveJudge::remember_workloads(detect::WorkloadStoreOptions options) {
  const auto& names = config_.detectors;
  const bool sees_stalls = std::ranges::find(names, "saturation") != names.end();
  if (config_.saved || !sees_stalls || detect::votes_of("saturation") < config_.min_agreement) {
    return;
  }
  memory_.emplace(std::move(options));
}

std::vector<std::string> LiveJudge::take_troubles() {
  return memory_ ? memory_->take_troubles() : std::vector<std::string>();
}

void LiveJudge::follow_workload(std::size_t row) {
  const auto& latest = history_.windows.back();
  memory_->take(pipeline_.features(), pipeline_.channels(), row);
  if (learns_until_ns_) return;
  if (latest.judged) memory_->note_judged(latest.flagged.has_value());
  if (const auto choice = memory_->choose(own_.get(), pipeline_.windows())) {
    compare_with(*choice, row);
  }
  memory_->learn_if_due(pipeline_.features(), pipeline_.channels(), pipeline_.windows(),
                        pipeline_.origin());
}

// A regime has begun. What a run of other devices or groups has taught is of no use.
void LiveJudge::compare_with(const WorkloadMemory::Choice& choice, std::size_t row) {
  const auto& earlier = choice.earlier;
  if (!earlier ||
      !detect::match_columns(*earlier->baseline, pipeline_.features(), pipeline_.channels())) {
    leave_earlier_run();
    return;
  }
  const auto& origin = earlier->baseline->origin;
  std::size_t count = std::min({choice.windows, row + 1, seen_ - known_past_});
  const auto span_of = [&](std::size_t windows) -> const window::WindowSpan& {
    return pipeline_.features().window(row + 1 - std::max<std::size_t>(windows, 1));
  };
  auto begun = take_back_since(span_of(std::min(choice.windows + kComing, row + 1)).begin_ns);
  if (choice.began) count -= std::min(count, kComing);
  history_.looks_like = EarlierRun{.begin_ns = origin.begin_ns,
                                   .end_ns = origin.end_ns,
                                   .runs = origin.runs,
                                   .since_ns = span_of(count).begin_ns};
  fit_if_moved_ = 0;
  judge_by(earlier->baseline);
  judge_anew(row + 1 - count, row);
  put_back(std::move(begun));
}

// The last of the history's windows is that of `row`.
void LiveJudge::judge_anew(std::size_t first, std::size_t row) {
  auto& windows = history_.windows;
  std::vector<bool> in_finding;
  flagged_ = 0;
  for (std::size_t one = first; one <= row; ++one) {
    JudgedWindow anew;
    anew.span = pipeline_.features().window(one);
    judge(one, anew);
    flagged_ = anew.flagged ? flagged_ + 1 : 0;
    in_finding.push_back(anew.flagged.has_value());
    windows[windows.size() - 1 - (row - one)] = std::move(anew);
  }
  memory_->note_judged_anew(in_finding);
}

// Returns the findings that began with the workload, which are no longer the history's: they were
// told by what was usual of another.
std::vector<attribute::Finding> LiveJudge::take_back_since(std::int64_t begin_ns) {
  auto& findings = history_.findings;
  const auto first = std::stable_partition(
      findings.begin(), findings.end(),
      [&](const attribute::Finding& one) { return one.windows_begin_ns() < begin_ns; });
  std::vector<attribute::Finding> out(std::make_move_iterator(first),
                                      std::make_move_iterator(findings.end()));
  findings.erase(first, findings.end());
  return out;
}

// What was told is not unsaid, unless the earlier run tells it better: then it is that finding.
void LiveJudge::put_back(std::vector<attribute::Finding> findings) {
  auto& all = history_.findings;
  for (auto& finding : findings) {
    const bool is_told = std::ranges::any_of(all, [&](const attribute::Finding& one) {
      return one.looks_like_ns && one.windows_begin_ns() < finding.windows_end_ns() &&
             finding.windows_begin_ns() < one.windows_end_ns();
    });
    if (is_told) continue;
    const auto place = std::ranges::find_if(all, [&](const attribute::Finding& one) {
      return one.windows_begin_ns() > finding.windows_begin_ns();
    });
    all.insert(place, std::move(finding));
  }
}

// As long as nothing else goes on, the run's own windows say more than those of an earlier one; if
// ever more are findings by the earlier one, it was of something else.
bool LiveJudge::fit_of_regime_is_due() const {
  if (seen_ < fit_if_moved_) return false;
  return memory_->is_doubted() || memory_->is_mostly_sound(kFirstFit);
}

// Of what went on before the workload nothing is learned, if enough is left.
void LiveJudge::keep_regime(pipeline::BaselineFit& fit) const {
  const auto& rows = fit.matrix;
  std::size_t first = 0;
  while (first < rows.row_count() && rows.window(first).begin_ns < memory_->regime_begin_ns()) {
    ++first;
  }
  if (first == 0 || rows.row_count() - first < kFirstFit) return;
  fit.matrix.drop_first(first);
  fit.origin.begin_ns = rows.window(0).begin_ns;
  fit.origin.windows = rows.row_count();
}

// Says of the findings to which the window was added what it was compared with.
void LiveJudge::say_compared(const window::WindowSpan& window) {
  for (auto& one : history_.findings) {
    if (one.windows_end_ns() == window.end_ns) one.looks_like_ns = history_.looks_like->begin_ns;
  }
}

void LiveJudge::leave_earlier_run() {
  memory_->leave();
  if (!history_.looks_like) return;
  history_.looks_like.reset();
  if (own_) {
    judge_by(own_);
    return;
  }
  attributor_.reset();
  scorer_.reset();
}

}  // namespace reveal::live
