// The windows of one run, scored by all detectors, and what each score is made of.
//
// What a window is compared with matters more than how. A detector fitted on the whole run, as in
// the paper, has seen the disturbance that it shall find: a burst in a tenth of the windows moves
// the means and standard deviations that it is measured by, and with fewer windows than columns
// becomes principal components of its own, in which it looks like any other window. So by default a
// window is compared with the rest of the run: the run is cut into folds, and each fold is
// standardized and scored by detectors that were fitted without it and without its neighborhood.
// Every window is then scored by detectors that have not seen it, and scores stay comparable. A
// detector that knows only what it was fitted on (a forest has no splits beyond its samples) is
// fitted on the fold as well, but never on its neighborhood, if the rest of a burst would be.
//
// Not thread-safe while it is made; immutable afterwards.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "base/result.h"
#include "detect/detector.h"
#include "detect/standardize.h"

namespace reveal::detect {

enum class Baseline {
  kRun,    // the whole run, the window included: the paper's
  kRest,   // the run without the window and its neighborhood
  kPast,   // the windows before it, and before its neighborhood: what is known live
  kSaved,  // another run, whose FittedBaseline was kept
};

// With kRest, at most this many folds of adjacent windows,
inline constexpr Eigen::Index kMaxFolds = 20;
// fitted without this many windows on either side of the fold (fewer in a short run),
inline constexpr Eigen::Index kNeighborhood = 10;
// which must leave at least this much room, for nearer windows share samples; else kRun is used.
inline constexpr Eigen::Index kMinNeighborhood = 3;
// With kPast, the first windows are only learned from,
inline constexpr Eigen::Index kFirstJudged = kMinWindows + kNeighborhood;
// and detectors are fitted anew whenever the past has grown by this share of itself.
inline constexpr double kPastGrowth = 1.0 / 6;
// A fold is fitted on at most this many windows, evenly spaced over the rest.
inline constexpr Eigen::Index kMaxFitted = 128;

// A detector that is fitted already, and the scores that say what is high for it, ascending.
struct FittedDetector {
  std::shared_ptr<const Detector> detector;
  std::vector<double> scores;
  Eigen::VectorXd by_window = {};  // the same by window (FittedBaseline::elapsed_s), else none
};

// Returns at most kMaxFitted of those rows, evenly spaced.
std::vector<Eigen::Index> fitted_rows(const std::vector<Eigen::Index>& rows);

// Called between parts of a long work, of some tens of milliseconds each, by who wants to pause it.
using Pace = std::function<void()>;

inline void rest_if(const Pace& pace) {
  if (pace) pace();
}

// How windows are scored as if they were of another run.
struct HeldOutOptions {
  Eigen::Index folds = kMaxFolds;  // at most; at least 2
  Pace pace = {};
  // The first rows of the runs that the windows are of, ascending, 0 the first. If there are
  // several, each run is a fold, scored by detectors that know the others alone: what differs from
  // run to run, as levels of memory after a boot do, is then in the scores.
  std::vector<Eigen::Index> runs = {};

  bool of_runs() const { return runs.size() > 1; }
};

class ScoredRun {
 public:
  // Fits and scores the detectors that `options` names. Fails with kTooLittle if the design has too
  // few windows or no live column; with kPast, if none is left to judge; with kUsage if no detector
  // can see it. `folds` is the most there are with kRest: time and memory grow with them. REQUIRES:
  // not kSaved; folds >= 2.
  static base::Result<ScoredRun> score(Design run, Baseline baseline,
                                       const DetectorOptions& options = {},
                                       Eigen::Index folds = kMaxFolds);

  // Scores windows as if they were of another run: the rest is all that any detector is fitted on.
  // Fails with kTooLittle, too, on runs that are too short for kRest, and if but for one of several
  // runs too few windows are left. REQUIRES: how.runs are rows of the design.
  static base::Result<ScoredRun> score_held_out(Design run, const DetectorOptions& options = {},
                                                const HeldOutOptions& how = {});

  // Scores windows by detectors that were fitted on others. REQUIRES: `design` has the columns, in
  // the units, that they were fitted on; at least one window; `peaks` are by detector and window,
  // or none (usual_peaks()).
  static ScoredRun against(std::vector<FittedDetector> detectors, Design design,
                           std::vector<Eigen::VectorXd> peaks = {});

  // Fits the detectors that see saturation anew, as if the workload had been slow in those windows
  // and in no others (SaturationColumns::slow), and scores all windows by them. Fails as
  // Detector::fit(). REQUIRES: baseline() is kRest; one entry a window, or none.
  base::Result<void> learn_without(const std::vector<bool>& stalled);

  std::size_t detector_count() const { return scores_.size(); }
  std::string_view name(std::size_t detector) const;
  Eigen::Index window_count() const { return run_.x.rows(); }
  // Returns what was scored, as the detectors saw it: each window in standard deviations of what it
  // was compared with.
  const Design& design() const { return run_; }
  // Returns one score a window.
  const Eigen::VectorXd& scores(std::size_t detector) const { return scores_[detector]; }
  // Returns whether that detector sees the design's saturation columns (Detector::sees_saturation).
  bool sees_saturation(std::size_t detector) const;
  // Returns the smallest step of those scores (Detector::resolution).
  double resolution(std::size_t detector) const;
  // Returns the scores, ascending, by which that detector's scores are judged: the run's own, or
  // the saved baseline's.
  const std::vector<double>& reference(std::size_t detector) const { return references_[detector]; }
  // Returns by window the score that is usual at that elapsed time, whatever the reference; none
  // if nothing is known of elapsed times.
  Eigen::VectorXd peaks(std::size_t detector) const {
    return peaks_.empty() ? Eigen::VectorXd() : peaks_[detector];
  }
  // Returns each live column's part in the score of a window (see Detector::contributions); 0 if
  // the run lacks the column.
  Eigen::VectorXd contributions(std::size_t detector, Eigen::Index window) const;
  // Returns how many windows at the start have nothing to be compared with but themselves.
  Eigen::Index unjudged() const { return baseline_ == Baseline::kPast ? kFirstJudged : 0; }
  // Returns what was really used: kRun for runs too short for kRest.
  Baseline baseline() const { return baseline_; }

 private:
  // Adjacent windows from `first` on that are scored alike: by those before `before` and those from
  // `after` on.
  struct FoldPlace {
    Eigen::Index first = 0;
    Eigen::Index count = 0;
    Eigen::Index before = 0;
    Eigen::Index after = 0;
  };

  // Such windows, and the detectors that were fitted for them.
  struct Fold {
    FoldPlace place;
    std::vector<std::shared_ptr<const Detector>> detectors;
  };

  struct FoldOptions {
    DetectorOptions detectors;
    bool held_out = false;  // no detector is fitted on the fold
    HeldOutOptions how = {};
  };

  // What folds are fitted on, kept from one to the next: it is large.
  struct Room {
    std::vector<double> values;
    stats::MatrixPart shaped(Eigen::Index rows, Eigen::Index columns);
  };

  // Windows that folds are fitted on, but for each its own neighborhood.
  struct Sample {
    Eigen::MatrixXd x;
    std::vector<Eigen::Index>
        rows;  // of the run, one a row of x; none where folds choose their own
    // Returns the rows of x that are not windows of [from, to).
    std::vector<Eigen::Index> without(Eigen::Index from, Eigen::Index to) const;
  };

  static base::Result<ScoredRun> score_folds(Design run, Baseline baseline, FoldOptions options);
  // Return the folds of the two baselines that are parts of the run.
  static std::vector<FoldPlace> folds_of_rest(Eigen::Index windows, Eigen::Index fold,
                                              Eigen::Index margin);
  static std::vector<FoldPlace> folds_of_past(Eigen::Index windows);
  static base::Result<std::vector<FoldPlace>> folds_of_runs(const std::vector<Eigen::Index>& runs,
                                                            Eigen::Index windows);
  base::Result<void> add_whole(const DetectorOptions& options);
  base::Result<void> add_folds(const std::vector<FoldPlace>& places, const FoldOptions& options);
  std::size_t most_values(const std::vector<FoldPlace>& places, Eigen::Index folds) const;
  Sample sample_of(const std::vector<FoldPlace>& places, Eigen::Index folds) const;
  base::Result<void> add_fold(const FoldPlace& place, const Usual& rest, const Sample& sample,
                              const FoldOptions& options, Room& room);
  base::Result<void> fit_saturation(Detector& detector, const FoldPlace& place) const;
  Eigen::VectorXd scores_by_folds(std::size_t detector, const Pace& pace) const;
  void collect_scores(const Pace& pace = {});
  void refer_to_own_scores();

  Design run_;
  Baseline baseline_ = Baseline::kRun;
  std::vector<Fold> folds_;
  std::vector<Eigen::VectorXd> scores_;          // by detector
  std::vector<std::vector<double>> references_;  // by detector
  std::vector<Eigen::VectorXd> peaks_;           // by detector, or none
};

}  // namespace reveal::detect
