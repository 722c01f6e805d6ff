#include "detect/scored_run.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "detect/standardise.h"
#include "detect/thinned.h"

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

Design joined(const Design& first, const Design& second) {
  Design out = first;
  out.x.resize(first.x.rows() + second.x.rows(), first.x.cols());
  out.x << first.x, second.x;
  return out;
}

}  // namespace

std::vector<Index> fitted_rows(const std::vector<Index>& rows) {
  return thinned<Index>(rows, kMostFitted);
}

base::Result<ScoredRun> ScoredRun::score(const Design& run, Baseline baseline,
                                         const DetectorOptions& options) {
  return score_folds(run, baseline, {options, false});
}

base::Result<ScoredRun> ScoredRun::score_as_strangers(const Design& run,
                                                      const DetectorOptions& options) {
  auto out = score_folds(run, Baseline::kRest, {options, true});
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

std::vector<ScoredRun::FoldPlace> ScoredRun::folds_of_rest(Index windows, Index margin) {
  const Index fold = fold_length(windows);
  std::vector<FoldPlace> out;
  for (Index first = 0; first < windows; first += fold) {
    const Index count = std::min(fold, windows - first);
    out.push_back({first, count, std::max<Index>(first - margin, 0),
                   std::min(first + count + margin, windows)});
  }
  return out;
}

// The first windows are scored among themselves, for their scores to be there.
std::vector<ScoredRun::FoldPlace> ScoredRun::folds_of_past(Index windows) {
  std::vector<FoldPlace> out{{0, kFirstJudged, kMinWindows, windows}};
  for (Index first = kFirstJudged; first < windows;) {
    const auto grown = static_cast<Index>(static_cast<double>(first) * kPastGrowth);
    const Index count = std::min(grown, windows - first);
    out.push_back({first, count, first - kNeighbourhood, windows});
    first += count;
  }
  return out;
}

base::Result<ScoredRun> ScoredRun::score_folds(const Design& run, Baseline baseline,
                                               const FoldOptions& options) {
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
  base::Result<void> added;
  if (out.baseline_ == Baseline::kRun) {
    added = out.add_whole(run, options.detectors);
  } else if (out.baseline_ == Baseline::kRest) {
    added = out.add_folds(run, folds_of_rest(out.window_count_, margin), options);
  } else {
    added = out.add_folds(run, folds_of_past(out.window_count_),
                          {options.detectors, /*strangers=*/true});
  }
  if (!added) return base::Unexpected(added.error());
  out.collect_scores();
  out.refer_to_own_scores();
  return out;
}

// Folds come in order, so what is before one grows, and what is after it is known from the end on.
base::Result<void> ScoredRun::add_folds(const Design& run, const std::vector<FoldPlace>& places,
                                        const FoldOptions& options) {
  std::vector<ColumnMoments> after(places.size());
  ColumnMoments tail(run.x.cols());
  Index known_from = window_count_;
  for (std::size_t i = places.size(); i-- > 0;) {
    tail.add(run.x, places[i].after, known_from - places[i].after);
    known_from = places[i].after;
    after[i] = tail;
  }
  ColumnMoments head(run.x.cols());
  Index known_to = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    head.add(run.x, known_to, places[i].before - known_to);
    known_to = places[i].before;
    ColumnMoments rest = head;
    rest.add(after[i]);
    if (auto done = add_fold(run, places[i], rest.usual(), options); !done) return done;
  }
  return {};
}

base::Result<void> ScoredRun::add_whole(const Design& run, const DetectorOptions& options) {
  auto detectors = fit_all(run, options);
  if (!detectors) return base::Unexpected(detectors.error());
  Fold whole{0, run, {}};
  for (auto& detector : *detectors) whole.detectors.push_back(std::move(detector));
  folds_.push_back(std::move(whole));
  return {};
}

base::Result<void> ScoredRun::add_fold(const Design& run, const FoldPlace& place, const Usual& rest,
                                       const FoldOptions& options) {
  const auto rest_rows = fitted_rows(rows_without(window_count_, place.before, place.after));
  std::vector<Index> fold_rows(static_cast<std::size_t>(place.count));
  std::iota(fold_rows.begin(), fold_rows.end(), place.first);
  const Design fitted = restandardised(run, rest_rows, rest);
  Fold fold{place.first, restandardised(run, fold_rows, rest), {}};
  for (const auto& descriptor : registry()) {
    auto detector = descriptor.make(options.detectors);
    const bool needs_fold = descriptor.knows_only_fitted && !options.strangers;
    const auto done = detector->fit(needs_fold ? joined(fitted, fold.design) : fitted);
    if (!done) return done;
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
