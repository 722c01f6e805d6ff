#include "detect/verdict.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace reveal::detect {
namespace {

std::vector<double> ascending(const Eigen::VectorXd& scores) {
  std::vector<double> out(scores.begin(), scores.end());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<double> ascending_of(const std::vector<bool>& rows, const Eigen::VectorXd& scores) {
  std::vector<double> out;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]) out.push_back(scores(static_cast<Eigen::Index>(row)));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<bool> exceeding(const Eigen::VectorXd& scores, const Eigen::VectorXd& limits) {
  std::vector<bool> out;
  for (Eigen::Index row = 0; row < scores.size(); ++row) out.push_back(scores(row) > limits(row));
  return out;
}

std::vector<bool> exceeding(const Eigen::VectorXd& scores, double limit) {
  return exceeding(scores, Eigen::VectorXd::Constant(scores.size(), limit));
}

// Returns the limit of each row, which is never below what is usual at its moment.
Eigen::VectorXd limits_by_row(double limit, Eigen::Index rows, const Reference& reference) {
  Eigen::VectorXd out = Eigen::VectorXd::Constant(rows, limit);
  return reference.peaks.size() == 0 ? out : out.cwiseMax(reference.peaks);
}

bool begins_stretch(const VerdictOptions& options, std::size_t row) {
  const auto& all = options.stretches;
  return std::binary_search(all.begin(), all.end(), static_cast<Eigen::Index>(row));
}

// Flags what is connected to an alarming row through rows within reach: once forwards, once back.
std::vector<bool> spread(std::vector<bool> flagged, const std::vector<bool>& above_hysteresis,
                         const VerdictOptions& options) {
  const auto reaches = [&](std::size_t from, std::size_t to) {
    return flagged[from] && above_hysteresis[to] && !begins_stretch(options, std::max(from, to));
  };
  for (std::size_t row = 1; row < flagged.size(); ++row) {
    if (reaches(row - 1, row)) flagged[row] = true;
  }
  for (std::size_t row = flagged.size() - 1; row > 0; --row) {
    if (reaches(row, row - 1)) flagged[row - 1] = true;
  }
  return flagged;
}

struct Rows {
  Eigen::Index first = 0;
  Eigen::Index end = 0;  // behind the last
};

// Returns the row and as many as there are of options.neighbors on either side in its stretch.
Rows beside(Eigen::Index row, Eigen::Index rows, const VerdictOptions& options) {
  Rows out{std::max<Eigen::Index>(row - options.neighbors, 0),
           std::min(row + options.neighbors + 1, rows)};
  const auto next = std::upper_bound(options.stretches.begin(), options.stretches.end(), row);
  if (next != options.stretches.end()) out.end = std::min(out.end, *next);
  if (next != options.stretches.begin()) out.first = std::max(out.first, *std::prev(next));
  return out;
}

Eigen::VectorXd means_beside(const Eigen::VectorXd& scores, const VerdictOptions& options) {
  Eigen::VectorXd out(scores.size());
  for (Eigen::Index row = 0; row < scores.size(); ++row) {
    const auto [first, end] = beside(row, scores.size(), options);
    out(row) = scores.segment(first, end - first).mean();
  }
  return out;
}

// A short run has few means that are independent of each other, whose spread may come out far too
// small by chance; that of its scores, of which there are more, stands in.
double limit_of_means(const std::vector<double>& scores, const std::vector<double>& means,
                      const VerdictOptions& options, double threshold) {
  constexpr double kMinOfScores = 0.8;
  const UsualRange usual = usual_range(means, options.resolution);
  const double spread = std::max(usual.spread, kMinOfScores * usual_range(scores).spread);
  return UsualRange{usual.center, spread}.limit(threshold);
}

// Sets the alarm limit, and what it flags, by the rows that are calm.
void flag_by(const std::vector<bool>& calm, const Eigen::VectorXd& means,
             const VerdictOptions& options, DetectorVerdict& out) {
  const auto windows = windows_judged(options, calm.size());
  out.alarm_limit = limit_of_means(ascending_of(calm, out.scores), ascending_of(calm, means),
                                   options, threshold_of(options, windows));
  out.limits.setConstant(out.alarm_limit);
  out.flagged = spread(exceeding(out.judged, out.alarm_limit),
                       exceeding(out.scores, out.hysteresis_limit), options);
}

// Returns the rows whose mean with its neighbors has no flagged row.
std::vector<bool> calm_rows(const std::vector<bool>& flagged, const VerdictOptions& options) {
  std::vector<bool> out(flagged.size(), true);
  const auto rows = static_cast<Eigen::Index>(flagged.size());
  for (Eigen::Index row = 0; row < rows; ++row) {
    if (!flagged[static_cast<std::size_t>(row)]) continue;
    const auto [first, end] = beside(row, rows, options);
    std::fill(out.begin() + first, out.begin() + end, false);
  }
  return out;
}

// Flags again by what is usual where nothing is flagged, until no more is: each disturbance raises
// the means of all windows around it, so three of six seconds in a minute would hide a fourth.
void flag_beside_flagged(const Eigen::VectorXd& means, const VerdictOptions& options,
                         DetectorVerdict& out) {
  constexpr int kMaxPasses = 4;
  constexpr std::ptrdiff_t kMinCalm = 20;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const auto calm = calm_rows(out.flagged, options);
    const auto left = std::count(calm.begin(), calm.end(), true);
    if (left < kMinCalm || left == out.scores.size()) return;
    DetectorVerdict next = out;
    flag_by(calm, means, options, next);
    if (next.alarm_limit >= out.alarm_limit) return;
    const bool is_last = next.flagged == out.flagged;
    out = std::move(next);
    if (is_last) return;
  }
}

// Returns the rows whose judged scores exceed half of the alarm limit.
std::vector<bool> raised_rows(const DetectorVerdict& verdict) {
  return exceeding(verdict.judged, verdict.alarm_limit / 2);
}

bool includes(const std::vector<bool>& rows, const std::vector<bool>& others) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (others[row] && !rows[row]) return false;
  }
  return true;
}

// Flags by what is usual beside raised rows, if that flags all of these. Disturbances that fill
// half of a run raise the limit above themselves, so that none is flagged.
void flag_beside_raised(const Eigen::VectorXd& means, const VerdictOptions& options,
                        DetectorVerdict& out) {
  const auto raised = raised_rows(out);
  DetectorVerdict next = out;
  next.flagged = raised;
  flag_beside_flagged(means, options, next);
  if (next.alarm_limit < out.alarm_limit && includes(next.flagged, raised)) out = std::move(next);
}

std::vector<int> count_agreement(const std::vector<DetectorVerdict>& detectors, Eigen::Index rows) {
  std::vector<int> out(static_cast<std::size_t>(rows), 0);
  for (const auto& detector : detectors) {
    for (std::size_t row = 0; row < out.size(); ++row)
      out[row] += detector.flagged[row] ? detector.votes : 0;
  }
  return out;
}

}  // namespace

DetectorVerdict judge_scores(std::string_view name, const Eigen::VectorXd& scores,
                             const Reference& reference, const VerdictOptions& options) {
  const auto& sorted = reference.sorted;
  const Limits limits = limits_of(sorted, options, reference.of_others);
  DetectorVerdict out;
  out.name = name;
  out.votes = votes_of(name);
  out.scores = scores;
  out.judged = scores;
  out.quantiles = scores.unaryExpr([&](double score) { return quantile_of(score, sorted); });
  out.contamination_limit = limits.contamination_limit;
  out.alarm_limit = limits.alarm_limit;
  out.hysteresis_limit = limits.hysteresis_limit;
  out.limits = limits_by_row(limits.limit(), scores.size(), reference);
  out.flagged = exceeding(scores, out.limits);
  if (!options.has_threshold()) return out;
  const auto above_hysteresis =
      exceeding(scores, limits_by_row(limits.hysteresis_limit, scores.size(), reference));
  out.flagged = spread(std::move(out.flagged), above_hysteresis, options);
  return out;
}

DetectorVerdict judge_by_itself(std::string_view name, const Eigen::VectorXd& scores,
                                const VerdictOptions& options) {
  const Reference own{ascending(scores)};
  DetectorVerdict out = judge_scores(name, scores, own, options);
  if (!options.has_threshold() || options.neighbors == 0) return out;
  const Eigen::VectorXd means = means_beside(scores, options);
  out.judged = means.cwiseMin(scores);
  flag_by(std::vector<bool>(static_cast<std::size_t>(scores.size()), true), means, options, out);
  if (!options.by_calm) return out;
  const bool is_any = std::find(out.flagged.begin(), out.flagged.end(), true) != out.flagged.end();
  is_any ? flag_beside_flagged(means, options, out) : flag_beside_raised(means, options, out);
  return out;
}

DetectorVerdict judge_by_past(std::string_view name, const Eigen::VectorXd& scores,
                              Eigen::Index first, const VerdictOptions& options) {
  DetectorVerdict out =
      judge_scores(name, scores.head(first), {ascending(scores.head(first))}, options);
  out.scores = scores;
  out.judged = scores;
  out.flagged.assign(static_cast<std::size_t>(first), false);
  out.limits.conservativeResize(scores.size());
  out.quantiles.conservativeResize(scores.size());
  std::vector<double> past = ascending(scores.head(first));
  for (Eigen::Index row = first; row < scores.size(); ++row) {
    const Limits limits = limits_of(past, options, true);
    const double score = scores(row);
    const bool goes_on = options.has_threshold() && out.flagged.back() &&
                         !begins_stretch(options, static_cast<std::size_t>(row)) &&
                         score > limits.hysteresis_limit;
    out.flagged.push_back(limits.alarm(score) || goes_on);
    out.limits(row) = limits.limit();
    out.quantiles(row) = quantile_of(score, past);
    out.contamination_limit = limits.contamination_limit;
    out.alarm_limit = limits.alarm_limit;
    out.hysteresis_limit = limits.hysteresis_limit;
    past.insert(std::upper_bound(past.begin(), past.end(), score), score);
  }
  return out;
}

namespace {

// Takes back a detector's flags of rows from `first` on that adjoin, if none of them alarms.
void take_back_spread(DetectorVerdict& detector, std::size_t first, std::vector<int>& agreement) {
  std::size_t end = first;
  for (; end < detector.flagged.size() && detector.flagged[end]; ++end) {
    const auto row = static_cast<Eigen::Index>(end);
    if (detector.judged(row) > detector.limits(row)) return;
  }
  for (std::size_t row = first; row < end; ++row) {
    detector.flagged[row] = false;
    agreement[row] -= detector.votes;
  }
}

}  // namespace

void silence(Verdict& verdict, std::vector<bool> silent) {
  for (std::size_t row = 0; row < silent.size(); ++row) {
    if (!silent[row]) continue;
    verdict.agreement[row] = 0;
    for (auto& detector : verdict.detectors) detector.flagged[row] = false;
  }
  for (std::size_t row = 1; row < silent.size(); ++row) {
    if (silent[row] || !silent[row - 1]) continue;
    for (auto& detector : verdict.detectors) take_back_spread(detector, row, verdict.agreement);
  }
  verdict.silent = std::move(silent);
}

namespace {

// If it is known what good runs do at each moment, that is told from their highest scores, and the
// alarm limit need not allow for the longest tail: half as many robust standard deviations do
// (docs/evidence/detection_diary.md). Not of saturation signals, which are measured in what
// matters.
DetectorVerdict judge_by_saved(const ScoredRun& run, std::size_t i, VerdictOptions options) {
  Reference reference{run.reference(i), true, run.peaks(i)};
  const bool automatic = options.threshold.mode == Threshold::Mode::kAuto;
  if (reference.peaks.size() > 0 && automatic && !run.sees_saturation(i)) {
    options.threshold = Threshold::fixed(
        automatic_threshold(windows_judged(options, reference.sorted.size(), true)) / 2);
  }
  return judge_scores(run.name(i), run.scores(i), reference, options);
}

DetectorVerdict judge_detector(const ScoredRun& run, std::size_t i, VerdictOptions options) {
  options.resolution = run.resolution(i);
  options.by_calm = run.sees_saturation(i);
  const auto name = run.name(i);
  const auto& scores = run.scores(i);
  switch (run.baseline()) {
    case Baseline::kPast:
      return judge_by_past(name, scores, run.unjudged(), options);
    case Baseline::kSaved:
      return judge_by_saved(run, i, options);
    case Baseline::kRun:
    case Baseline::kRest:
      break;
  }
  return judge_by_itself(name, scores, options);
}

}  // namespace

base::Result<Verdict> judge(const ScoredRun& run, const VerdictOptions& options) {
  if (auto sound = options.check(); !sound) return base::pass(sound);
  Verdict out;
  for (std::size_t i = 0; i < run.detector_count(); ++i) {
    out.detectors.push_back(judge_detector(run, i, options));
  }
  out.agreement = count_agreement(out.detectors, run.window_count());
  return out;
}

}  // namespace reveal::detect
