#include "detect/scored_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "detect/standardise.h"

namespace reveal::detect {
namespace {

using Eigen::Index;

std::vector<Index> rows_without(Index count, Index from, Index to) {
  std::vector<Index> out;
  for (Index row = 0; row < count; ++row) {
    if (row < from || row >= to) out.push_back(row);
  }
  return out;
}

Index fold_length(Index windows) {
  return (windows + kMostFolds - 1) / kMostFolds;
}

// Returns how many windows to leave out on either side of a fold; less than kLeastNeighbourhood
// where the run is too short.
Index neighbourhood(Index windows, Index fold) {
  return std::min(kNeighbourhood, (windows - fold - kMinWindows) / 2);
}

}  // namespace

std::vector<Index> thinned(const std::vector<Index>& rows) {
  if (rows.size() <= static_cast<std::size_t>(kMostFitted)) return rows;
  std::vector<Index> out(static_cast<std::size_t>(kMostFitted));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rows[i * rows.size() / out.size()];
  return out;
}

base::Result<ScoredRun> ScoredRun::score(const Design& run, Baseline baseline,
                                         const DetectorOptions& options) {
  return score_folds(run, baseline, options, false);
}

base::Result<ScoredRun> ScoredRun::score_as_strangers(const Design& run,
                                                      const DetectorOptions& options) {
  auto out = score_folds(run, Baseline::kRest, options, true);
  if (!out || out->baseline_ == Baseline::kRest) return out;
  return base::fail(base::ErrorKind::kTooLittle,
                    fmt::format("{} windows are too few to score some by the others", run.x.rows()),
                    {}, "record for longer, or use a shorter stride");
}

ScoredRun ScoredRun::against(std::vector<FittedDetector> detectors, Design design) {
  ScoredRun out;
  out.window_count_ = design.x.rows();
  out.baseline_ = Baseline::kSaved;
  Fold whole{0, std::move(design), {}};
  for (auto& fitted : detectors) {
    whole.detectors.push_back(std::move(fitted.detector));
    out.references_.push_back(std::move(fitted.scores));
  }
  out.folds_.push_back(std::move(whole));
  out.collect_scores();
  return out;
}

std::vector<ScoredRun::FoldPlace> ScoredRun::folds_of_rest(Index windows, Index margin,
                                                           bool strangers) {
  const Index fold = fold_length(windows);
  std::vector<FoldPlace> out;
  for (Index first = 0; first < windows; first += fold) {
    const Index count = std::min(fold, windows - first);
    out.push_back(
        {first, count, rows_without(windows, first - margin, first + count + margin), strangers});
  }
  return out;
}

// The first windows are scored among themselves, for their scores to be there.
std::vector<ScoredRun::FoldPlace> ScoredRun::folds_of_past(Index windows) {
  std::vector<FoldPlace> out{{0, kFirstJudged, rows_without(kMinWindows, 0, 0), true}};
  for (Index first = kFirstJudged; first < windows;) {
    const auto grown = static_cast<Index>(static_cast<double>(first) * kPastGrowth);
    const Index count = std::min(grown, windows - first);
    out.push_back({first, count, rows_without(first - kNeighbourhood, 0, 0), true});
    first += count;
  }
  return out;
}

base::Result<ScoredRun> ScoredRun::score_folds(const Design& run, Baseline baseline,
                                               const DetectorOptions& options, bool strangers) {
  if (auto sound = check_design(run); !sound) return base::Unexpected(sound.error());
  ScoredRun out;
  out.window_count_ = run.x.rows();
  const Index margin = neighbourhood(out.window_count_, fold_length(out.window_count_));
  const bool too_short = baseline == Baseline::kRest && margin < kLeastNeighbourhood;
  out.baseline_ = too_short ? Baseline::kRun : baseline;
  if (baseline == Baseline::kPast && out.window_count_ <= kFirstJudged) {
    return base::fail(base::ErrorKind::kTooLittle,
                      fmt::format("{} windows, but the first {} are only learnt from",
                                  out.window_count_, kFirstJudged),
                      {}, "record for longer, or use a shorter stride");
  }
  std::vector<FoldPlace> places;
  if (out.baseline_ == Baseline::kRest)
    places = folds_of_rest(out.window_count_, margin, strangers);
  if (out.baseline_ == Baseline::kPast) places = folds_of_past(out.window_count_);
  base::Result<void> added;
  if (places.empty()) added = out.add_whole(run, options);
  for (std::size_t i = 0; added && i < places.size(); ++i) {
    added = out.add_fold(run, places[i], options);
  }
  if (!added) return base::Unexpected(added.error());
  out.collect_scores();
  out.refer_to_own_scores();
  return out;
}

base::Result<void> ScoredRun::add_whole(const Design& run, const DetectorOptions& options) {
  auto detectors = fit_all(run, options);
  if (!detectors) return base::Unexpected(detectors.error());
  Fold whole{0, run, {}};
  for (auto& detector : *detectors) whole.detectors.push_back(std::move(detector));
  folds_.push_back(std::move(whole));
  return {};
}

base::Result<void> ScoredRun::add_fold(const Design& run, const FoldPlace& place,
                                       const DetectorOptions& options) {
  const Usual known = usual(run.x(place.rest, Eigen::all));
  const auto fitted_rows = thinned(place.rest);
  auto with_fold_rows = fitted_rows;
  for (Index i = 0; i < place.count; ++i) with_fold_rows.push_back(place.first + i);
  const Design fitted = restandardised(run, run.x(fitted_rows, Eigen::all), known);
  const Design with_fold = restandardised(run, run.x(with_fold_rows, Eigen::all), known);

  Fold fold{
      place.first, restandardised(run, run.x.middleRows(place.first, place.count), known), {}};
  for (const auto& descriptor : registry()) {
    auto detector = descriptor.make(options);
    const bool needs_fold = descriptor.knows_only_fitted && !place.strangers;
    if (auto done = detector->fit(needs_fold ? with_fold : fitted); !done) return done;
    fold.detectors.push_back(std::move(detector));
  }
  folds_.push_back(std::move(fold));
  return {};
}

void ScoredRun::collect_scores() {
  for (std::size_t i = 0; i < folds_.front().detectors.size(); ++i) {
    Eigen::VectorXd scores(window_count_);
    for (const auto& fold : folds_) {
      scores.segment(fold.first, fold.design.x.rows()) = fold.detectors[i]->score(fold.design);
    }
    scores_.push_back(std::move(scores));
  }
}

void ScoredRun::refer_to_own_scores() {
  for (const auto& scores : scores_) {
    std::vector<double> sorted(scores.begin(), scores.end());
    std::sort(sorted.begin(), sorted.end());
    references_.push_back(std::move(sorted));
  }
}

std::string_view ScoredRun::name(std::size_t detector) const {
  return folds_.front().detectors[detector]->name();
}

Eigen::VectorXd ScoredRun::contributions(std::size_t detector, Index window) const {
  const auto after = std::upper_bound(folds_.begin(), folds_.end(), window,
                                      [](Index row, const Fold& fold) { return row < fold.first; });
  const auto& fold = *std::prev(after);
  Eigen::VectorXd out = fold.detectors[detector]->contributions(fold.design, window - fold.first);
  for (std::size_t j = 0; j < fold.design.columns.size(); ++j) {
    if (fold.design.columns[j] == kAbsentColumn) out(static_cast<Index>(j)) = 0;
  }
  return out;
}

}  // namespace reveal::detect
