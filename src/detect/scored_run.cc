#include "detect/scored_run.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "detect/evenly_spaced.h"
#include "detect/standardize.h"

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

Index fold_length(Index windows, Index folds) {
  return (windows + folds - 1) / folds;
}

// Returns how many windows to leave out on either side of a fold; less than kMinNeighborhood if the
// run is too short.
Index neighborhood(Index windows, Index fold) {
  return std::min(kNeighborhood, (windows - fold - kMinWindows) / 2);
}

// Returns of how many windows a sample is that loses one of so many folds at a time.
Index most_sampled(Index folds) {
  return kMaxFitted + kMaxFitted / (folds - 1);
}

std::vector<Index> rows_from(Index first, Index count) {
  std::vector<Index> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), first);
  return out;
}

// Returns those of the windows in which the workload was not slow; all if the others are too few,
// or less than a third.
std::vector<Index> at_usual_work(const std::vector<Index>& rows, const std::vector<bool>& slow) {
  if (slow.empty()) return rows;
  std::vector<Index> out;
  std::ranges::copy_if(rows, std::back_inserter(out),
                       [&](Index row) { return !slow[static_cast<std::size_t>(row)]; });
  const bool enough =
      static_cast<Index>(out.size()) >= kMinWindows && 3 * out.size() >= rows.size();
  return enough ? out : rows;
}

}  // namespace

std::vector<Index> fitted_rows(const std::vector<Index>& rows) {
  return evenly_spaced<Index>(rows, kMaxFitted);
}

base::Result<ScoredRun> ScoredRun::score(Design run, Baseline baseline,
                                         const DetectorOptions& options, Index folds) {
  return score_folds(std::move(run), baseline, {options, false, {.folds = folds}});
}

base::Result<ScoredRun> ScoredRun::score_held_out(Design run, const DetectorOptions& options,
                                                  const HeldOutOptions& how) {
  const Index windows = run.x.rows();
  auto out = score_folds(std::move(run), Baseline::kRest, {options, true, how});
  if (!out || out->baseline_ == Baseline::kRest) return out;
  return base::fail(base::ErrorKind::kTooLittle,
                    fmt::format("{} windows are too few to score each part by the rest", windows),
                    {}, "record for longer, or use a shorter stride");
}

ScoredRun ScoredRun::against(std::vector<FittedDetector> detectors, Design design,
                             std::vector<Eigen::VectorXd> peaks) {
  ScoredRun out;
  out.peaks_ = std::move(peaks);
  out.run_ = std::move(design);
  out.baseline_ = Baseline::kSaved;
  Fold whole{{0, out.window_count()}, {}};
  for (auto& fitted : detectors) {
    whole.detectors.push_back(std::move(fitted.detector));
    out.references_.push_back(std::move(fitted.scores));
  }
  out.folds_.push_back(std::move(whole));
  out.collect_scores();
  return out;
}

std::vector<ScoredRun::FoldPlace> ScoredRun::folds_of_rest(Index windows, Index fold,
                                                           Index margin) {
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
    out.push_back({first, count, first - kNeighborhood, windows});
    first += count;
  }
  return out;
}

// Runs are apart from one another, so nothing beside a run is left out.
base::Result<std::vector<ScoredRun::FoldPlace>> ScoredRun::folds_of_runs(
    const std::vector<Index>& runs, Index windows) {
  std::vector<FoldPlace> out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Index after = i + 1 < runs.size() ? runs[i + 1] : windows;
    const Index others = windows - (after - runs[i]);
    if (others < kMinWindows) {
      return base::fail(base::ErrorKind::kTooLittle,
                        fmt::format("without run {} of {} only {} windows are left to judge it by, "
                                    "{} are needed",
                                    i + 1, runs.size(), others, kMinWindows),
                        {}, "give longer runs, or more of them");
    }
    out.push_back({runs[i], after - runs[i], runs[i], after});
  }
  return out;
}

base::Result<ScoredRun> ScoredRun::score_folds(Design run, Baseline baseline, FoldOptions options) {
  if (auto sound = check_windows(run.x); !sound) return base::pass(sound);
  options.detectors.set_columns(run);
  ScoredRun out;
  out.run_ = std::move(run);
  const Index windows = out.window_count();
  const Index fold = fold_length(windows, options.how.folds);
  const Index margin = neighborhood(windows, fold);
  const bool too_short =
      baseline == Baseline::kRest && !options.how.of_runs() && margin < kMinNeighborhood;
  out.baseline_ = too_short ? Baseline::kRun : baseline;
  if (baseline == Baseline::kPast && windows <= kFirstJudged) {
    return base::fail(
        base::ErrorKind::kTooLittle,
        fmt::format("{} windows, but the first {} are only learned from", windows, kFirstJudged),
        {}, "record for longer, or use a shorter stride");
  }
  base::Result<void> added;
  if (out.baseline_ == Baseline::kRun) {
    added = out.add_whole(options.detectors);
  } else if (options.how.of_runs()) {
    auto places = folds_of_runs(options.how.runs, windows);
    if (!places) return base::pass(places);
    options.how.folds = static_cast<Index>(places->size());
    added = out.add_folds(*places, options);
  } else if (out.baseline_ == Baseline::kRest) {
    added = out.add_folds(folds_of_rest(windows, fold, margin), options);
  } else {
    added = out.add_folds(folds_of_past(windows), {options.detectors, /*held_out=*/true});
  }
  if (!added) return base::pass(added);
  out.collect_scores(options.how.pace);
  out.refer_to_own_scores();
  return out;
}

// Returns how many values Room needs at most: growing, it would take twice as much.
std::size_t ScoredRun::most_values(const std::vector<FoldPlace>& places, Index folds) const {
  Index longest = 0;
  for (const auto& place : places) longest = std::max(longest, place.count);
  return static_cast<std::size_t>((most_sampled(folds) + longest) * run_.x.cols());
}

// Folds come in order, so what is before one grows, and what is after it is known from the end on.
// A fold's own windows are put in its units when no other fold needs them as they were.
base::Result<void> ScoredRun::add_folds(const std::vector<FoldPlace>& places,
                                        const FoldOptions& options) {
  std::vector<ColumnMoments> after(places.size());
  ColumnMoments tail(run_.x.cols());
  Index known_from = window_count();
  for (std::size_t i = places.size(); i-- > 0;) {
    tail.add(run_.x, places[i].after, known_from - places[i].after);
    known_from = places[i].after;
    after[i] = tail;
  }
  ColumnMoments head(run_.x.cols());
  Index known_to = 0;
  std::vector<Usual> rests;
  const Sample sample = sample_of(places, options.how.folds);
  Room room;
  room.values.reserve(most_values(places, options.how.folds));
  for (std::size_t i = 0; i < places.size(); ++i) {
    head.add(run_.x, known_to, places[i].before - known_to);
    known_to = places[i].before;
    ColumnMoments rest = head;
    rest.add(after[i]);
    rests.push_back(rest.usual());
    if (auto done = add_fold(places[i], rests.back(), sample, options, room); !done) return done;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto rows = rows_from(places[i].first, places[i].count);
    restandardize(run_.x, rows, rests[i], run_.x.middleRows(places[i].first, places[i].count));
  }
  return {};
}

base::Result<void> ScoredRun::add_whole(const DetectorOptions& options) {
  auto detectors = fit_all(run_, for_own_windows(options));
  if (!detectors) return base::pass(detectors);
  Fold whole{{0, window_count()}, {}};
  for (auto& detector : *detectors) whole.detectors.push_back(std::move(detector));
  folds_.push_back(std::move(whole));
  return {};
}

stats::MatrixPart ScoredRun::Room::shaped(Index rows, Index columns) {
  const auto size = static_cast<std::size_t>(rows * columns);
  if (values.size() < size) values.resize(size);
  return Eigen::Map<Eigen::MatrixXd>(values.data(), rows, columns);
}

// Folds that are fitted on nearly the same windows read them from one small copy: those of a long
// run lie far apart, and reading them anew for each fold would take as long as fitting.
ScoredRun::Sample ScoredRun::sample_of(const std::vector<FoldPlace>& places, Index folds) const {
  Sample out;
  if (places.front().after >= window_count()) return out;  // the past alone: each fold has more
  const auto most = static_cast<std::size_t>(most_sampled(folds));
  out.rows = evenly_spaced<Index>(rows_from(0, window_count()), most);
  out.x = run_.x(out.rows, Eigen::all);
  return out;
}

std::vector<Index> ScoredRun::Sample::without(Index from, Index to) const {
  std::vector<Index> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < from || rows[i] >= to) out.push_back(static_cast<Index>(i));
  }
  return out;
}

// The rest comes first in the room, the fold after it.
base::Result<void> ScoredRun::add_fold(const FoldPlace& place, const Usual& rest,
                                       const Sample& sample, const FoldOptions& options,
                                       Room& room) {
  const auto rest_of_run = fitted_rows(rows_without(window_count(), place.before, place.after));
  auto rest_rows = sample.without(place.before, place.after);
  // Without the longest of several runs next to nothing of the sample may be left.
  const bool sampled = rest_rows.size() * 2 >= rest_of_run.size();
  if (!sampled) rest_rows = rest_of_run;
  const auto fitted = static_cast<Index>(rest_rows.size());
  auto x = room.shaped(fitted + place.count, run_.x.cols());
  restandardize(sampled ? Windows(sample.x) : Windows(run_.x), rest_rows, rest, x.topRows(fitted));
  restandardize(run_.x, rows_from(place.first, place.count), rest, x.bottomRows(place.count));
  Fold fold{place, {}};
  for (const auto& descriptor : chosen(options.detectors)) {
    auto detector = descriptor.make(options.detectors);
    base::Result<void> done;
    if (detector->sees_saturation()) {
      if (run_.saturation.live.empty()) continue;
      done = fit_saturation(*detector, place);
    } else {
      const bool needs_fold = descriptor.transductive && !options.held_out;
      done = fit_beside(*detector, x.topRows(needs_fold ? x.rows() : fitted), fold.detectors);
    }
    if (!done) return done;
    fold.detectors.push_back(std::move(detector));
    rest_if(options.how.pace);
  }
  if (fold.detectors.empty()) return nobody_sees();
  folds_.push_back(std::move(fold));
  return {};
}

base::Result<void> ScoredRun::fit_saturation(Detector& detector, const FoldPlace& place) const {
  const auto rest = rows_without(window_count(), place.before, place.after);
  const auto usual = fitted_rows(at_usual_work(rest, run_.saturation.slow));
  const Eigen::MatrixXd seen = run_.saturation.x(usual, Eigen::all);
  return detector.fit(seen);
}

base::Result<void> ScoredRun::learn_without(const std::vector<bool>& stalled) {
  run_.saturation.slow = stalled;
  for (std::size_t i = 0; i < detector_count(); ++i) {
    if (!sees_saturation(i)) continue;
    const auto& descriptor = registry()[*find_detector(name(i))];
    for (auto& fold : folds_) {
      auto detector = descriptor.make({});
      if (auto done = fit_saturation(*detector, fold.place); !done) return done;
      fold.detectors[i] = std::move(detector);
    }
    scores_[i] = scores_by_folds(i, {});
  }
  references_.clear();
  refer_to_own_scores();
  return {};
}

Eigen::VectorXd ScoredRun::scores_by_folds(std::size_t detector, const Pace& pace) const {
  Eigen::VectorXd out(window_count());
  for (const auto& fold : folds_) {
    const auto& [first, count, before, after] = fold.place;
    const auto& one = *fold.detectors[detector];
    out.segment(first, count) = one.score(seen_by(one, run_).middleRows(first, count));
    rest_if(pace);
  }
  return out;
}

void ScoredRun::collect_scores(const Pace& pace) {
  for (std::size_t i = 0; i < folds_.front().detectors.size(); ++i) {
    scores_.push_back(scores_by_folds(i, pace));
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

bool ScoredRun::sees_saturation(std::size_t detector) const {
  return folds_.front().detectors[detector]->sees_saturation();
}

double ScoredRun::resolution(std::size_t detector) const {
  return folds_.front().detectors[detector]->resolution();
}

Eigen::VectorXd ScoredRun::contributions(std::size_t detector, Index window) const {
  const auto after =
      std::upper_bound(folds_.begin(), folds_.end(), window,
                       [](Index row, const Fold& fold) { return row < fold.place.first; });
  const auto& fold = *std::prev(after);
  Eigen::VectorXd out = contributions_by_column(*fold.detectors[detector], run_, window);
  for (std::size_t j = 0; j < run_.columns.size(); ++j) {
    if (run_.columns[j] == kAbsentColumn) out(static_cast<Index>(j)) = 0;
  }
  return out;
}

}  // namespace reveal::detect
